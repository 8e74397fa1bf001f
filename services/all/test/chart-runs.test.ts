import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { helmSkipReason } from './support/chart/helm.js'
import { type Manifest, podsIn } from './support/chart/manifests.js'
import { Load } from './support/faults/load.js'
import { verify } from './support/faults/verify.js'
import { Installation, replicasIn } from './support/kubernetes/index.js'
import { whyWithoutServers } from './support/replicated/servers.js'

const skip =
  whyWithoutServers() ||
  (await helmSkipReason()) ||
  // Pods have addresses of their own, which only Linux has without configuration.
  (process.platform !== 'linux' && 'pods need addresses in 127.0.0.0/8')

const settings = { LOG_LEVEL: 'warn', EMBEDDER: 'none', OCR_ENABLED: 'false' }
/** The others have one: a machine that tests has few cores. */
const replicated = ['gateway', 'catalog']

type Fault = { change: (template: Manifest['spec']) => void; says: RegExp }

const named = <T extends { name: string }>(list: T[], name: string): T => {
  const found = list.find((one) => one.name === name)
  assert.ok(found, name)
  return found
}

const faults: Record<string, Fault> = {
  'a wrong port': {
    change: ({ spec: { containers } }) => {
      containers[0].startupProbe.failureThreshold = 3
      named<{ name: string; containerPort?: number }>(
        containers[0].ports,
        'operations',
      ).containerPort = 9465
    },
    says: /^Error: container gateway: startupProbe: GET \S+:9465\/livez failed 3 times: ECONNREFUSED/,
  },
  'a wrong path of a probe': {
    change: ({ spec: { containers } }) => {
      const { startupProbe } = containers[0]
      Object.assign(startupProbe, { periodSeconds: 1, failureThreshold: 12 })
      startupProbe.httpGet.path = '/alive'
    },
    says: /^Error: container gateway: startupProbe: GET \S+\/alive failed 12 times: status 404/,
  },
  'a missing Secret': {
    change: ({ spec: { containers } }) => {
      const { valueFrom } = named<{ name: string; valueFrom?: Manifest['spec'] }>(
        containers[0].env,
        'REDIS_URL',
      )
      valueFrom.secretKeyRef.name = 'figbase-counters'
    },
    says: /^Error: container gateway: there is no Secret figbase-counters/,
  },
  'a missing key of a Secret': {
    change: ({ spec: { containers } }) => {
      const { valueFrom } = named<{ name: string; valueFrom?: Manifest['spec'] }>(
        containers[0].env,
        'REDIS_URL',
      )
      valueFrom.secretKeyRef.key = 'address'
    },
    says: /^Error: container gateway: Secret figbase-redis has no key address/,
  },
  'a missing mount of the certificate': {
    change: ({ spec: { containers } }) => {
      containers[0].volumeMounts = [{ name: 'tmp', mountPath: '/tmp' }]
    },
    says: /^Error: container gateway: ended with 1\n.*RPC_TLS_CERT_FILE/s,
  },
  'a listen address inside of the pod': {
    change: ({ spec: { containers } }) => {
      containers[0].startupProbe.failureThreshold = 3
      named<{ name: string; value?: string }>(containers[0].env, 'OPERATIONS_HOST').value =
        '127.0.0.1'
    },
    says: /^Error: container gateway: startupProbe: GET \S+ failed 3 times: ECONNREFUSED/,
  },
}

describe('the production set of the chart as local processes', { skip }, () => {
  let installation: Installation

  before(async () => {
    installation = await Installation.prepare({ settings })
  })
  after(() => installation?.[Symbol.asyncDispose]())

  describe('a fault of a manifest fails the start of its pod, and names the container', {
    concurrency: true,
  }, () => {
    for (const [fault, { change, says }] of Object.entries(faults)) {
      test(fault, async () => {
        const pod = installation.newPod('figbase-gateway', change)
        await assert.rejects(pod.start(), says)
        installation.cluster.discard(pod)
      })
    }
    after(() => installation.cluster.problems.splice(0))
  })

  test('every process becomes ready, serves users, and stops in time', async (t) => {
    const { cluster, dataDir, url } = installation
    const started = performance.now()
    const count = await installation.install((manifests, process) =>
      replicated.includes(process) ? replicasIn(manifests, process) : 1,
    )
    t.diagnostic(`${count} containers ready after ${seconds(started)}`)
    const helmTest = podsIn(installation.manifests).find(({ owner }) => owner.kind === 'Pod')
    assert.ok(helmTest)
    assert.match(await cluster.complete('test', helmTest), /readyz 200.*info\/ 200/s)
    const load = new Load({ url, dataDir, seed: 1, workers: 1 })
    await load.prepare()
    assert.deepEqual(await verify(load, dataDir), [])
    await cluster.deleteAll()
    assert.deepEqual(cluster.problems, [])
    console.log(process.getActiveResourcesInfo())
    t.diagnostic(`stopped after ${seconds(started)}`)
  })
})

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
