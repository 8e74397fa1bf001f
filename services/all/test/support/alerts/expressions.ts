import { readChart } from '../chart/files.js'
import type { Prometheus } from './prometheus.js'
import { rules } from './rules.js'

type Dashboard = { panels: { targets?: { expr: string }[] }[] }

/** The expressions of the alerts and of the dashboard. */
export function expressions(): string[] {
  const { panels }: Dashboard = JSON.parse(readChart('files/dashboard.json'))
  const ofDashboard = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return [...rules.map(({ expr }) => expr), ...ofDashboard]
}

/** The metrics and labels of an expression that no target of this Prometheus exports. */
export async function findUnknown(prometheus: Prometheus, expr: string): Promise<string[]> {
  const unknown: string[] = []
  const known = new Set<string>()
  // Those of kube-state-metrics are not ours.
  for (const [, metric = '', matchers = ''] of expr.matchAll(/\b((?!kube_)\w+)\{([^}]*)\}/g)) {
    const labels = await prometheus.labelsOf(metric)
    for (const label of labels) known.add(label)
    if (labels.size === 0) unknown.push(metric)
    for (const [, label = ''] of matchers.matchAll(/(?:^|,)\s*(\w+)\s*[=!]/g)) {
      if (!labels.has(label)) unknown.push(`${metric}{${label}}`)
    }
  }
  if (known.size === 0) return unknown
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  return [...unknown, ...grouped.filter((label) => !known.has(label))]
}
