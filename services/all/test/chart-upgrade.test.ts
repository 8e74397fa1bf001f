import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'yaml'
import { goodValues } from './support/chart/bad-values.js'
import { startSecretsCluster } from './support/chart/cluster.js'
import { readChart } from './support/chart/files.js'
import { getHelm, helmSkipReason, type Render } from './support/chart/helm.js'
import { immutableParts, type ReleasedVersion } from './support/chart/immutable.js'
import { ofKind, parseManifests, render, valueSets, valuesFile } from './support/chart/manifests.js'
import { root } from './support/readmes/documents.js'

const skip = await helmSkipReason()
const released = join(root, 'services/all/test/support/chart/released.json')
const dir = await mkdtemp(join(tmpdir(), 'figbase-chart-'))
after(() => rm(dir, { recursive: true }))

test('an upgrade from a released version changes nothing that Kubernetes refuses to change', {
  skip,
}, async (t) => {
  const helm = await getHelm()
  const versions: ReleasedVersion[] = JSON.parse(await readFile(released, 'utf8'))
  let count = 0
  for (const { version, sets } of versions) {
    for (const [set, { values, parts }] of Object.entries(sets)) {
      const file = join(dir, `${set}.json`)
      await writeFile(file, JSON.stringify(values))
      const now = immutableParts(
        parseManifests(await helm.template({ files: [file], isUpgrade: true })),
      )
      const same = Object.fromEntries(Object.keys(parts).map((id) => [id, now[id]]))
      assert.deepEqual(same, parts, `${version}, ${set}`)
      count += Object.keys(parts).length
    }
  }
  assert.ok(count > 0)
  t.diagnostic(`${count} objects of ${versions.map(({ version }) => version)}`)
})

test('the version of the chart is among the released ones', { skip }, async () => {
  const helm = await getHelm()
  const versions: ReleasedVersion[] = JSON.parse(await readFile(released, 'utf8'))
  const { version } = parse(readChart('Chart.yaml'))
  if (versions.some((one) => one.version === version)) return
  const entries = valueSets.map(async (set) => {
    const [file = ''] = valuesFile(set)
    const values = parse(await readFile(file, 'utf8'))
    return [set, { values, parts: immutableParts(await render(helm, set)) }]
  })
  const sets = Object.fromEntries(await Promise.all(entries))
  await writeFile(released, `${JSON.stringify([...versions, { version, sets }], undefined, 2)}\n`)
  assert.fail(`released.json has ${version} now: commit it`)
})

test('an upgrade keeps the generated secrets', { skip }, async () => {
  const helm = await getHelm()
  const generating: Render[] = [{ files: valuesFile('trying-out') }, { set: goodValues }]
  for (const values of generating) {
    const manifestsOf = async (more: Render = {}) =>
      parseManifests(await helm.template({ ...values, ...more }))
    const first = await manifestsOf()
    const secrets = ofKind(first, 'Secret')
    assert.ok(secrets.some(({ data }) => data?.FIGBASE_SECRET_KEY))
    assert.notDeepEqual(ofKind(await manifestsOf(), 'Secret'), secrets, 'they are random')
    await using cluster = await startSecretsCluster(dir, first)
    const next = await manifestsOf({ cluster: cluster.kubeconfig, isUpgrade: true })
    assert.deepEqual(ofKind(next, 'Secret'), secrets)
  }
})
