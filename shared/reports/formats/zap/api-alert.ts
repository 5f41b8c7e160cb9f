import { isObject, type JsonObject, textAt } from '../../readers/json.ts';

/** An alert of ZAP's API (`core/view/alerts`), one for each address, in the shape of the report. */
export function alertOfApi(alert: JsonObject): JsonObject {
  const tags = isObject(alert.tags) ? Object.keys(alert.tags) : [];
  const [risk, confidence] = [textAt(alert, 'risk'), textAt(alert, 'confidence')];
  return {
    ...alert,
    pluginid: alert.pluginId,
    riskcode: RISKS.indexOf(risk ?? ''),
    riskdesc: risk,
    confidence: confidence === 'False Positive' ? 0 : undefined,
    desc: alert.description,
    otherinfo: alert.other,
    uri: alert.url,
    tags: tags.map((tag) => ({ tag })),
  };
}

const RISKS = ['Informational', 'Low', 'Medium', 'High'];
