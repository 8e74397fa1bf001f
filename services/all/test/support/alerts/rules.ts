import { parse } from 'yaml'
import { readChart } from '../chart/files.js'
import { namespace } from '../chart/helm.js'

export type Rule = {
  alert: string
  expr: string
  for: string
  labels: Record<string, string>
  annotations: { summary: string; runbook: string }
}

/** The rules of the chart, as it renders them for the namespace of the tests. */
export const rules: Rule[] = parse(
  readChart('files/alerts.yaml').replaceAll('NAMESPACE', namespace),
)

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600 }

/** One minute of a rule is one second of a test, so the relations between the times are those of the chart. */
export const shortening = 60

const shorter = (number: string, unit = '') =>
  `${((Number(number) * (secondsOf[unit] ?? 0)) / shortening) * 1000}ms`

/**
 * Changes nothing but constants of time: `for`, ranges, offsets, and the thresholds of ages (`…_seconds{…}) > n`), but not
 * those of durations, whose left side is a quantile. `for` in hours becomes as many seconds.
 */
export function shortenedRules(): Rule[] {
  return rules.map((rule) => ({
    ...rule,
    for: rule.for.replace(/^(\d+)([smh])$/, (_, number, unit) =>
      unit === 'h' ? `${number}000ms` : shorter(number, unit),
    ),
    expr: rule.expr
      .replace(/\[(\d+)([smh])\]/g, (_, number, unit) => `[${shorter(number, unit)}]`)
      .replace(/offset (\d+)([smh])/g, (_, number, unit) => `offset ${shorter(number, unit)}`)
      .replace(
        /(_oldest_waiting_seconds\{[^}]*\}\)) > (\d+)/g,
        (_, age, seconds) => `${age} > ${Number(seconds) / shortening}`,
      ),
  }))
}

/** As Prometheus reads them; JSON is YAML. */
export const ruleFile = (some: Rule[]): string =>
  JSON.stringify({ groups: [{ name: 'figbase', rules: some }] })
