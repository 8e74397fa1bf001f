import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { helmSkipReason } from './support/chart/helm.js'
import type { PodSpec } from './support/chart/manifests.js'
import { imageSkipReason } from './support/image/image.js'
import { runEndToEnd } from './support/kubernetes/end-to-end.js'
import { Installation } from './support/kubernetes/installation.js'
import { isRoot } from './support/launched.js'
import { whyWithoutServers } from './support/replicated/servers.js'

const skip = imageSkipReason() || whyWithoutServers() || (await helmSkipReason())

// Uploads, pictures, events of most services and the search index; `chart-runs.long.test.ts` runs others.
const endToEnd = ['search']
const settings = {
  LOG_LEVEL: 'warn',
  // All tests come from one address.
  REGISTRATIONS_PER_HOUR_AND_ADDRESS_MAX: '1000000',
  SEARCHES_PER_MINUTE_MAX: '1000000',
  EMBEDDER: 'none',
  OCR_ENABLED: 'false',
}

type Fault = { change: (spec: PodSpec) => void; says: RegExp }

const faults: Record<string, Fault> = {
  'a variable that is no setting': {
    change: (spec) => spec.containers[0]?.env?.push({ name: 'REDIS_ADDRESS', value: '' }),
    says: /^Error: figbase-gateway-\d+: unknown variables of gateway: REDIS_ADDRESS/,
  },
  'a Secret that does not exist': {
    change: (spec) => Object.assign(secretOf(spec, 'REDIS_URL'), { name: 'figbase-counters' }),
    says: /^Error: figbase-gateway-\d+: there is no Secret figbase-counters/,
  },
  'a missing key of a Secret': {
    change: (spec) => Object.assign(secretOf(spec, 'REDIS_URL'), { key: 'address' }),
    says: /^Error: figbase-gateway-\d+: Secret figbase-redis has no key address/,
  },
  'a probe of an unknown port': {
    change: ({ containers: [gateway] }) => {
      Object.assign(gateway?.startupProbe?.httpGet ?? {}, { port: 'health' })
    },
    says: /^Error: figbase-gateway-\d+: startupProbe names an unknown port: health/,
  },
  'a wrong port': {
    change: ({ containers: [gateway] }) => {
      Object.assign(gateway?.startupProbe ?? {}, { failureThreshold: 3 })
      const port = gateway?.ports?.find(({ name }) => name === 'operations')
      Object.assign(port ?? {}, { containerPort: 9465 })
    },
    says: /^Error: figbase-gateway-\d+: startupProbe: GET \S+:9465\/livez failed 3 times: ECONNREFUSED/,
  },
  'a certificate that is not mounted': {
    change: ({ containers: [gateway] }) => {
      Object.assign(gateway ?? {}, { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] })
    },
    says: /^Error: figbase-gateway-\d+: ended with 1\n.*RPC_TLS_CERT_FILE/s,
  },
}

function secretOf({ containers: [container] }: PodSpec, name: string) {
  return container?.env?.find((one) => one.name === name)?.valueFrom?.secretKeyRef ?? {}
}

describe('the production set of the chart, with its containers as local processes', {
  skip,
}, () => {
  let installation: Installation

  before(async () => {
    installation = await Installation.prepare(settings)
  })
  after(() => installation?.[Symbol.asyncDispose]())

  describe('a faulty manifest does not start, and the message says why', {
    concurrency: true,
  }, () => {
    for (const [fault, { change, says }] of Object.entries(faults)) {
      test(fault, async () => {
        const { template } = structuredClone(installation.deployment('figbase-gateway').spec)
        change(template.spec)
        const pod = installation.cluster.newPod('figbase-gateway', template)
        await assert.rejects(pod.start(), says)
        await pod.kill()
      })
    }
  })

  test('every container starts, and its probes succeed', async (t) => {
    const count = await installation.install(1)
    t.diagnostic(`${count} pods`)
  })

  test('end-to-end tests pass', async (t) => {
    const { url, dataDir } = installation
    t.diagnostic(`${await runEndToEnd(endToEnd, url, dataDir)} tests`)
  })

  const without = !isRoot && 'only root may open the port of the Service'
  test('the test of the chart passes', { skip: without }, async () => {
    assert.match(await installation.run('figbase-test'), /readyz 200.*info\/ 200/s)
  })

  test('the database and the objects are consistent', async () => {
    await installation.run('figbase-fsck')
    assert.deepEqual(installation.cluster.problems, [])
  })
})
