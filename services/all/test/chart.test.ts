import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHelm, helmSkipReason } from './support/chart/helm.js'
import { idOf, render, valueSets, valuesFile } from './support/chart/manifests.js'
import { problemsOf } from './support/chart/validate.js'

const skip = await helmSkipReason()
const sets = ['default', ...valueSets] as const
/** The oldest version that the chart permits, and the newest one that Helm knows. */
const kubeVersions = ['1.27.0', '1.35.0']

test('helm lints the chart', { skip }, async () => {
  const helm = await getHelm()
  for (const set of sets) await helm.lint({ files: valuesFile(set) })
})

test('every manifest conforms to the schema of its kind, without unknown fields', {
  skip,
}, async (t) => {
  const helm = await getHelm()
  const problems: string[] = []
  let count = 0
  for (const kubeVersion of kubeVersions) {
    for (const set of sets) {
      const manifests = await render(helm, set, { kubeVersion })
      count += manifests.length
      for (const manifest of manifests) {
        const own = problemsOf(manifest).map((problem) => `${set}: ${idOf(manifest)}: ${problem}`)
        problems.push(...own)
      }
    }
  }
  assert.deepEqual([...new Set(problems)], [])
  t.diagnostic(
    `${count} manifests of ${sets.length} sets of values, for Kubernetes ${kubeVersions}`,
  )
})

test('the validation refuses unknown fields and wrong types', () => {
  const service = (spec: object) =>
    problemsOf({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec })
  assert.deepEqual(service({ ports: [{ port: 80 }] }), [])
  assert.deepEqual(service({ ports: [{ port: 80, portt: 1 }] }), [
    'unknown field /spec/ports/0/portt',
  ])
  assert.match(String(service({ ports: [{ port: 'http' }] })), /port must be integer/)
})
