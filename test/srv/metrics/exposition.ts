// The text format of Prometheus (version 0.0.4), read strictly: what does not fit throws.

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Metric {
  type: string
  help: string
  samples: Sample[]
}

const HEAD = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
/** Prometheus takes `Nan` too, as prom-client writes it. */
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|N[aA][nN])$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy
const PARTS = /_(bucket|sum|count)$/

/** @returns metrics by name */
export function parseExposition(text: string): Map<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const metrics = new Map<string, Metric>()
  const seen = new Set<string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const head = HEAD.exec(line)
    if (head) {
      addHead(metrics, head[1]!, head[2]!, head[3]!)
      continue
    }
    const [, name, inBraces = '', value] = SAMPLE.exec(line) ?? fail(line)
    const metric = metrics.get(name!) ?? metrics.get(name!.replace(PARTS, '')) ?? fail(line)
    const labels = labelsOf(inBraces)
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`
    if (seen.has(key)) fail(`twice: ${line}`)
    seen.add(key)
    metric.samples.push({ name: name!, labels, value: Number(value!.replace('Inf', 'Infinity')) })
  }
  for (const [name, metric] of metrics) assertWhole(name, metric)
  return metrics
}

const fail = (what: string): never => {
  throw new Error(`no exposition: ${what}`)
}

function addHead(metrics: Map<string, Metric>, kind: string, name: string, text: string) {
  if (kind === 'HELP') {
    if (metrics.has(name)) fail(`twice: ${name}`)
    metrics.set(name, { type: '', help: text, samples: [] })
  } else (metrics.get(name) ?? fail(name)).type = text
}

function labelsOf(text: string): Record<string, string> {
  const found = [...text.matchAll(LABEL)]
  if (found.map(([all]) => all).join('') !== text) fail(text)
  return Object.fromEntries(found.map(([, name, value]) => [name!, value!]))
}

function assertWhole(name: string, { type, samples }: Metric) {
  if (!['counter', 'gauge', 'histogram', 'summary'].includes(type)) fail(`${name} ${type}`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) fail(name)
  if (type !== 'histogram') return
  const without = ({ labels: { le: _le, ...labels } }: Sample) => JSON.stringify(labels)
  const groups = Map.groupBy(samples, without)
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const counts = buckets.map(({ value }) => value)
    const [count] = group.filter((sample) => sample.name === `${name}_count`)
    if (counts.some((value, at) => value < (counts[at - 1] ?? 0))) fail(`${name} shrinks`)
    if (buckets.at(-1)?.labels.le !== '+Inf' || counts.at(-1) !== count?.value) fail(name)
  }
}
