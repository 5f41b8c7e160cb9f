import * as z from 'zod';

/**
 * The techniques of MITRE ATT&CK for enterprises, version 18.1, with the numbers of their sub-techniques; those that MITRE revoked
 * or deprecated are left out. Made from enterprise-attack-18.1.json of https://github.com/mitre-attack/attack-stix-data.
 */
const PUBLISHED = `
  T1001:1-3 T1003:1-8 T1005 T1006 T1007 T1008 T1010 T1011:1 T1012 T1014 T1016:1-2 T1018 T1020:1 T1021:1-8 T1025
  T1027:1-17 T1029 T1030 T1033 T1036:1-12 T1037:1-5 T1039 T1040 T1041 T1046 T1047 T1048:1-3 T1049 T1052:1
  T1053:2-3,5-7 T1055:1-5,8-9,11-15 T1056:1-4 T1057 T1059:1-13 T1068 T1069:1-3 T1070:1-10 T1071:1-5 T1072
  T1074:1-2 T1078:1-4 T1080 T1082 T1083 T1087:1-4 T1090:1-4 T1091 T1092 T1095 T1098:1-7 T1102:1-3 T1104 T1105
  T1106 T1110:1-4 T1111 T1112 T1113 T1114:1-3 T1115 T1119 T1120 T1123 T1124 T1125 T1127:1-3 T1129 T1132:1-2 T1133
  T1134:1-5 T1135 T1136:1-3 T1137:1-6 T1140 T1176:1-2 T1185 T1187 T1189 T1190 T1195:1-3 T1197 T1199 T1200 T1201
  T1202 T1203 T1204:1-5 T1205:1-2 T1207 T1210 T1211 T1212 T1213:1-6 T1216:1-2 T1217 T1218:1-5,7-15 T1219:1-3 T1220
  T1221 T1222:1-2 T1480:1-2 T1482 T1484:1-2 T1485:1 T1486 T1489 T1490 T1491:1-2 T1495 T1496:1-4 T1497:1-3
  T1498:1-2 T1499:1-4 T1505:1-6 T1518:1-2 T1525 T1526 T1528 T1529 T1530 T1531 T1534 T1535 T1537 T1538 T1539
  T1542:1-5 T1543:1-5 T1546:1-18 T1547:1-10,12-15 T1548:1-6 T1550:1-4 T1552:1-8 T1553:1-6 T1554 T1555:1-6
  T1556:1-9 T1557:1-4 T1558:1-5 T1559:1-3 T1560:1-3 T1561:1-2 T1562:1-4,6-13 T1563:1-2 T1564:1-14 T1565:1-3
  T1566:1-4 T1567:1-4 T1568:1-3 T1569:1-3 T1570 T1571 T1572 T1573:1-2 T1574:1,4-14 T1578:1-5 T1580 T1583:1-8
  T1584:1-8 T1585:1-3 T1586:1-3 T1587:1-4 T1588:1-7 T1589:1-3 T1590:1-6 T1591:1-4 T1592:1-4 T1593:1-3 T1594
  T1595:1-3 T1596:1-5 T1597:1-2 T1598:1-4 T1599:1 T1600:1-2 T1601:1-2 T1602:1-2 T1606:1-2 T1608:1-6 T1609 T1610
  T1611 T1612 T1613 T1614:1 T1615 T1619 T1620 T1621 T1622 T1647 T1648 T1649 T1650 T1651 T1652 T1653 T1654 T1656
  T1657 T1659 T1665 T1666 T1667 T1668 T1669 T1671 T1672 T1673 T1674 T1675 T1677 T1678 T1679 T1680 T1681
`;

let known: ReadonlySet<string> | undefined;

const published = (): ReadonlySet<string> => new Set(PUBLISHED.trim().split(/\s+/).flatMap(namesOf));

/** `T1055:1-3,5` names T1055, T1055.001 to T1055.003 and T1055.005. */
function namesOf(text: string): string[] {
  const [technique = '', numbers = ''] = text.split(':');
  const subs = numbers.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return range ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [];
  });
  return [technique, ...subs.map((n) => `${technique}.${String(n).padStart(3, '0')}`)];
}

/** Whether ATT&CK has a technique with this id. */
export function isTechnique(id: string): boolean {
  known ??= published();
  return known.has(id);
}

/** `T1059.001` is also found as `T1059`. */
export const techniqueMarks = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => [id, id.split('.', 1)[0] ?? id])),
];

export const MAX_TECHNIQUES = 20;

export const AttackTechniques = z
  .array(
    z
      .string()
      .max(40)
      .overwrite((id) => id.trim().toUpperCase())
      .refine(isTechnique, 'must be the id of a technique that MITRE ATT&CK publishes, such as T1059 or T1059.001'),
  )
  .max(MAX_TECHNIQUES)
  .meta({ description: 'ids of MITRE ATT&CK for enterprises, version 18.1', example: ['T1059.001'] });
