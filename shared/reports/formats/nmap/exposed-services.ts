import type { Severity } from '../../report/report.ts';

/**
 * A service that attackers look for where its port is open. A port matches if one of the signs fits. Signs are in lower
 * case, separated by commas.
 */
export type ExposedService = {
  severity: Severity;
  /** Part of the finding's title. */
  exposure: string;
  reason: string;
  remedy: string;
  /** Nmap's names of the service. */
  services?: string;
  /** Beginnings of products. */
  products?: string;
  /** For ports whose service Nmap did not identify. */
  ports?: string;
  /** The output of one of these scripts with one of these texts; without texts any output. */
  scripts?: string;
  says?: string;
  /** The risk is the missing encryption: a service within TLS does not match. */
  clearText?: true;
};

/**
 * The ratings of open ports by their service, the most severe first: the first match counts. An open port without a
 * match is information.
 */
export const exposedServices: readonly ExposedService[] = [
  {
    severity: 'critical',
    exposure: 'shell without a login',
    reason: 'Anyone who connects to this port gets a command line or runs code, without a password.',
    remedy: 'Take the host off the network and look for an intruder, or stop the debugger that listens there.',
    services: 'bindshell, jdwp, ingreslock',
  },
  {
    severity: 'critical',
    exposure: 'control of containers without a login',
    reason: 'The interface of Docker takes commands without a password: anyone who reaches it owns the host.',
    remedy: 'Bind it to a local socket, or require client certificates.',
    services: 'docker',
    products: 'docker',
    ports: '2375/tcp',
    scripts: 'docker-version',
    says: 'apiversion',
  },
  {
    severity: 'critical',
    exposure: 'database without a password',
    reason: 'The scan got into the database without a password, so anyone who reaches it reads and changes its data.',
    remedy: 'Set a password for each account and let only the hosts that need the database reach it.',
    scripts: 'mysql-empty-password, ms-sql-empty-password, redis-info, mongodb-databases',
    says: 'has empty password, login success, architecture, sizeondisk, totalsize',
  },
  {
    severity: 'critical',
    exposure: 'default password',
    reason: 'The scan got in with a password that makers ship and that every attacker tries first.',
    remedy: 'Change the password, and let only administrators reach the interface.',
    scripts: 'http-default-accounts, snmp-brute',
    says: ' at /, valid credentials',
  },
  {
    severity: 'critical',
    exposure: 'login without a password',
    reason: 'The service told the scan that it asks for no password.',
    remedy: 'Require a password or a key, and let only the hosts that need the service reach it.',
    scripts: 'vnc-info, x11-access, ssh-auth-methods',
    says: 'none (1), access is granted, none_auth',
  },
  {
    severity: 'high',
    exposure: 'anonymous FTP',
    reason: 'Anyone may log in without a password and read what lies there, or store files where that is allowed.',
    remedy: 'Turn anonymous logins off, or keep nothing there that is not meant for everybody.',
    scripts: 'ftp-anon',
    says: 'anonymous ftp login allowed',
  },
  {
    severity: 'high',
    exposure: 'remote login without encryption',
    reason: 'Passwords and commands cross the network in clear text, and a listener can log in with them.',
    remedy: 'Use SSH instead, and close the port.',
    services: 'telnet, rtelnet, login, shell, exec, rlogin, rsh, rexec',
    ports: '23/tcp, 512/tcp, 513/tcp, 514/tcp, 2323/tcp',
    clearText: true,
  },
  {
    severity: 'high',
    exposure: 'database',
    reason: 'A database that the network reaches is open to guessed passwords and to each weakness of its server.',
    remedy: 'Let only the applications that use the database reach it.',
    services:
      'mysql, mysqlx, postgresql, ms-sql-s, oracle, oracle-tns, mongodb, mongod, redis, memcached, memcache, ' +
      'cassandra, couchdb, elasticsearch, ibm-db2, drda, firebird, gds_db',
    products:
      'elasticsearch, opensearch, couchdb, mongodb, influxdb, neo4j, apache solr, apache cassandra, ' + 'clickhouse',
    ports: '9042/tcp, 9160/tcp, 9200/tcp, 9300/tcp, 5984/tcp, 8086/tcp, 7474/tcp, 27018/tcp',
  },
  {
    severity: 'high',
    exposure: 'remote control',
    reason: 'Screen and keyboard of the host are one guessed password or one weakness away; worms look for such ports.',
    remedy: 'Reach it through a VPN or a gateway that asks for a second factor.',
    services: 'vnc, vnc-http, vnc-1, vnc-2, vnc-3, ms-wbt-server, x11, x11:1',
    ports: '5900/tcp, 5901/tcp, 6000/tcp, 3389/tcp',
  },
  {
    severity: 'high',
    exposure: 'control of a cluster',
    reason: 'Anyone who gets into this interface controls the hosts and secrets of the cluster.',
    remedy: 'Let only the hosts of the cluster and its administrators reach it, with client certificates.',
    services: 'etcd-client, etcd-server, zookeeper',
    products: 'etcd, kubernetes, zookeeper, apache zookeeper, consul, portainer',
    ports: '2379/tcp, 2380/tcp, 10250/tcp, 10255/tcp, 2181/tcp, 8500/tcp',
  },
  {
    severity: 'high',
    exposure: 'remote execution',
    reason: 'The protocol runs code for its clients without a password, or has been broken again and again.',
    remedy: 'Close the port to all but the hosts that work together.',
    services: 'distccd, java-rmi, rmiregistry, ajp13, ajp12, smart-install, wdbrpc',
    products: 'apache jserv, distccd',
    ports: '4786/tcp, 3632/tcp, 8009/tcp, 1099/tcp',
  },
  {
    severity: 'high',
    exposure: 'industrial control',
    reason: 'The protocol knows no password: anyone who reaches it reads and sets the values of the machine.',
    remedy: 'Keep such devices in a network of their own.',
    services: 'modbus, mbap, iso-tsap, bacnet, dnp',
    ports: '502/tcp, 102/tcp, 20000/tcp, 44818/tcp, 47808/udp',
  },
  {
    severity: 'high',
    exposure: 'management of the server',
    reason: 'The controller turns the server on and off and shows its screen; IPMI gives hashes of its passwords away.',
    remedy: 'Keep management controllers in a network of their own.',
    services: 'asf-rmcp',
    ports: '623/udp',
  },
  {
    severity: 'high',
    exposure: 'open proxy or relay',
    reason: 'Anyone may send requests or mail through this host, under its name and into its network.',
    remedy: 'Let only your own clients use it.',
    scripts: 'http-open-proxy, socks-open-proxy, smtp-open-relay',
    says: 'potentially open proxy, is an open relay, socks4, socks5',
  },
  {
    severity: 'high',
    exposure: 'data open to everyone',
    reason: 'The scan read files or records without a password.',
    remedy: 'Name the hosts and accounts that may read them.',
    scripts: 'nfs-showmount, nfs-ls, rsync-list-modules, tftp-enum, ldap-search, snmp-sysdescr, couchdb-databases',
  },
  {
    severity: 'medium',
    exposure: 'file transfer without encryption',
    reason: 'Passwords and files cross the network in clear text.',
    remedy: 'Use SFTP or FTPS, and close the port.',
    services: 'ftp, tftp, rsync',
    clearText: true,
  },
  {
    severity: 'medium',
    exposure: 'file sharing',
    reason: 'File shares spread worms and ransomware, and are meant for the local network alone.',
    remedy: 'Let only the hosts that use the shares reach the port.',
    services: 'microsoft-ds, netbios-ssn, nfs, nfs_acl, mountd, afp, iscsi',
  },
  {
    severity: 'medium',
    exposure: 'remote administration',
    reason: 'An interface for administrators is open to guessed passwords and to each weakness of its software.',
    remedy: 'Let only the network of the administrators reach it.',
    services: 'wsman, wsmans, snmp',
    products: 'miniserv, webmin, cockpit, mikrotik, cpanel, plesk, vmware esxi',
    ports: '10000/tcp, 5985/tcp, 5986/tcp, 8291/tcp, 15672/tcp',
  },
  {
    severity: 'medium',
    exposure: 'page for administrators',
    reason: 'A page for administrators is open to guessed passwords and to each weakness of its software.',
    remedy: 'Let only the network of the administrators reach it.',
    scripts: 'http-title, http-enum',
    says:
      'phpmyadmin, adminer, pgadmin, jenkins, tomcat manager, apache tomcat/, webmin, kubernetes dashboard, ' +
      'grafana, kibana, portainer, rabbitmq management, cpanel, plesk, pfsense, opnsense, ' +
      'integrated lights-out, idrac, vmware esxi, vsphere, fortigate, jupyter, traefik, routeros',
  },
  {
    severity: 'medium',
    exposure: 'directory service',
    reason: 'The directory tells names, groups and hosts, and is open to guessed passwords.',
    remedy: 'Let only the hosts that use the directory reach it.',
    services: 'ldap, ldapssl, kerberos-sec, kpasswd5, globalcatldap, globalcatldapssl',
  },
  {
    severity: 'medium',
    exposure: 'message queue',
    reason: 'Queues often ask for no password; anyone who reads or writes there steers the systems behind.',
    remedy: 'Require a password and TLS, and let only the systems that use the queue reach it.',
    services: 'mqtt, amqp, kafka, activemq, stomp, ibm-mqseries',
    ports: '1883/tcp, 5672/tcp, 9092/tcp, 61616/tcp',
  },
  {
    severity: 'medium',
    exposure: 'amplifier of attacks',
    reason: 'The service answers forged requests with more than it gets, so attackers flood others with it.',
    remedy: 'Turn it off, or answer your own networks alone.',
    services: 'chargen, qotd, echo, discard, daytime, upnp',
    scripts: 'dns-recursion, ntp-monlist',
  },
  {
    severity: 'low',
    exposure: 'mail without encryption',
    reason: 'Passwords and mail cross the network in clear text unless the client asks for encryption.',
    remedy: 'Require STARTTLS, or offer the ports with TLS alone (993, 995).',
    services: 'pop2, pop3, imap',
    clearText: true,
  },
  {
    severity: 'low',
    exposure: 'facts for strangers',
    reason: 'The service tells strangers of users, programs or the network of the host.',
    remedy: 'Close the port to other networks.',
    services: 'finger, ident, auth, rpcbind, msrpc, netbios-ns, netstat, systat, rwho, rusersd, ms-sql-m',
  },
];
