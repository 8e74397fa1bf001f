import assert from 'node:assert/strict'

export type Sample = { name: string; labels: Record<string, string>; value: number }
export type Family = { type: string; help: string; samples: Sample[] }

const typeOf = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/
const helpOf = /^# HELP ([a-zA-Z_:][\w:]*) (\S.*)$/
const sampleOf = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|\+Inf|NaN)$/
const labelOf = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y

/**
 * Strictly parses the Prometheus text format: each family once, help and type before its samples, no duplicate series,
 * consistent histograms. Throws otherwise.
 */
export function parseExposition(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n'), 'must end with a newline')
  const families = new Map<string, Family>()
  const series = new Set<string>()
  let help: string | undefined
  let current = { name: '', family: undefined as Family | undefined }
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const helped = helpOf.exec(line)
    const typed = typeOf.exec(line)
    if (helped) {
      help = helped[2] ?? ''
      current = { name: helped[1] ?? '', family: undefined }
      assert.ok(!families.has(current.name), `duplicate family ${current.name}`)
    } else if (typed) {
      assert.equal(typed[1], current.name, 'the type must follow the help')
      const family: Family = { type: typed[2] ?? '', help: help ?? '', samples: [] }
      families.set(current.name, family)
      current = { ...current, family }
    } else {
      const sample = parseSample(line)
      assert.ok(current.family, `no type: ${line}`)
      const suffix = sample.name.slice(current.name.length)
      const suffixes = current.family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      assert.ok(sample.name.startsWith(current.name) && suffixes.includes(suffix), line)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      assert.ok(!series.has(key), `duplicate series: ${line}`)
      series.add(key)
      current.family.samples.push(sample)
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkSums(name, family)
  return families
}

function parseSample(line: string): Sample {
  const [, name = '', inner = '', number = ''] = sampleOf.exec(line) ?? []
  assert.ok(name, `invalid sample: ${line}`)
  const labels: Record<string, string> = {}
  labelOf.lastIndex = 0
  for (let at = 0; at < inner.length; at = labelOf.lastIndex) {
    const [, label = '', value = ''] = labelOf.exec(inner) ?? []
    assert.ok(label && !(label in labels), `invalid labels: ${line}`)
    labels[label] = value.replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}

function checkSums(name: string, { samples }: Family) {
  const counts = new Map<string, { buckets: number[]; last: string; count?: number }>()
  for (const { name: full, labels, value } of samples) {
    const { le = '', ...others } = labels
    const key = JSON.stringify(others)
    const of = counts.get(key) ?? { buckets: [], last: '' }
    counts.set(key, of)
    if (full === `${name}_count`) of.count = value
    if (full !== `${name}_bucket`) continue
    assert.ok(value >= (of.buckets.at(-1) ?? 0), `${name} ${key}: buckets must be cumulative`)
    of.buckets.push(value)
    of.last = le
  }
  for (const [key, { buckets, last, count }] of counts) {
    assert.equal(last, '+Inf', `${name} ${key}`)
    assert.equal(buckets.at(-1), count, `${name} ${key}`)
  }
}

/** The value of the only sample with these labels; it may have others, too. */
export function sampleValue(
  families: Map<string, Family>,
  family: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = families
    .get(family)
    ?.samples.filter((sample) =>
      Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
    )
  assert.ok((found?.length ?? 0) <= 1, `${family}: more than one sample matches`)
  return found?.[0]?.value
}
