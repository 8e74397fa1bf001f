import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newRun } from '../../src/drivers/contract.js'
import { podOf } from '../../src/drivers/kubernetes/pod.js'
import { isSelected } from './api-object.js'
import { openKubernetes, settings } from './harness.js'
import { violationsOf } from './pod-security.js'
import { observed, signal, started, stateOf, until } from './waiting.js'

const document = fileURLToPath(new URL('../../../KUBERNETES.md', import.meta.url))

test('a pod has the least privileges, a read-only file system, and the limits of its size', () => {
  const spec = { ...newRun(), vcpu: 2, memoryBytes: 2 ** 33 }
  const pod = podOf(spec, { ...settings, kubeconfig: '', imagePullSecret: 'pull' })
  assert.deepEqual(violationsOf(pod), [])
  const [container] = pod.spec?.containers ?? []
  assert.equal(pod.spec?.automountServiceAccountToken, false)
  assert.equal(pod.spec?.enableServiceLinks, false)
  assert.equal(pod.spec?.securityContext?.runAsUser, 1000)
  assert.equal(pod.spec?.restartPolicy, 'Never')
  assert.deepEqual(pod.spec?.imagePullSecrets, [{ name: 'pull' }])
  assert.equal(container?.securityContext?.readOnlyRootFilesystem, true)
  const amounts = { cpu: '2000m', memory: `${2 ** 33}`, 'ephemeral-storage': `${5 * 2 ** 28}` }
  assert.deepEqual(container?.resources, { requests: amounts, limits: amounts })
  assert.deepEqual(pod.spec?.volumes?.find(({ name }) => name === 'temporary')?.emptyDir, {
    sizeLimit: `${2 ** 30}`,
  })
})

test('no secret is in a pod, and the secret of a run goes with it', async () => {
  await using at = await openKubernetes()
  const spec = newRun()
  spec.environment.GF_API_KEY = 'key-of-the-notebook'
  await at.driver.start(spec, signal)
  await stateOf(at.driver, spec, 'running')
  const pod = at.server.store.get('pods', `notebook-${spec.instanceId}`)
  const secret = at.server.store.get('secrets', `run-${spec.runId}`)
  for (const value of [spec.token, spec.environment.GF_API_KEY]) {
    assert.ok(!JSON.stringify(pod).includes(value))
    assert.ok(Object.values(secret.data ?? {}).includes(Buffer.from(value).toString('base64')))
  }
  assert.equal(secret.metadata.ownerReferences?.[0]?.uid, pod.metadata.uid)
  await at.driver.stop(spec, signal)
  await stateOf(at.driver, spec, 'stopped')
  const next = { ...newRun(), instanceId: spec.instanceId }
  await at.driver.start(next, signal)
  await until(
    async () => !at.server.store.find('secrets', secret.metadata.name),
    'the secret to be collected',
  )
})

test('from its begin, only Figbase reaches a notebook, and it reaches only Figbase and DNS', async () => {
  await using at = await openKubernetes({
    destinations: [
      { namespace: 'figbase', labels: { app: 'gateway' }, port: 8000 },
      { cidr: '203.0.113.7/32', port: 443 },
    ],
  })
  at.server.kubelet.pace.scheduleMs = 60_000
  const spec = newRun()
  await at.driver.start(spec, signal)
  const pod = at.server.store.get('pods', `notebook-${spec.instanceId}`)
  const [policy, ...others] = at.server.store.list('networkpolicies')
  assert.deepEqual(others, [])
  const { podSelector, ...rest } = (policy?.spec ?? {}) as {
    podSelector: { matchLabels: object }
  }
  const selector = Object.entries(podSelector.matchLabels).map((pair) => pair.join('='))
  assert.ok(selector.length > 0 && isSelected(pod, selector.join(',')))
  const inNamespace = (name: string, labels: object) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    podSelector: { matchLabels: labels },
  })
  const tcp = (port: number) => ({ protocol: 'TCP', port })
  assert.deepEqual(rest, {
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [inNamespace('figbase', { app: 'compute' })], ports: [tcp(8888)] }],
    egress: [
      { to: [inNamespace('figbase', { app: 'gateway' })], ports: [tcp(8000)] },
      { to: [{ ipBlock: { cidr: '203.0.113.7/32' } }], ports: [tcp(443)] },
      {
        to: [inNamespace('kube-system', { 'k8s-app': 'kube-dns' })],
        ports: [{ protocol: 'UDP', port: 53 }, tcp(53)],
      },
    ],
  })
})

test('measures kernels, and what the cluster knows of processors and memory', async () => {
  await using at = await openKubernetes()
  const spec = await started(at.driver)
  const { lastActivityAt, ...kernels } = (await at.driver.measure(spec.instanceId, signal)) ?? {}
  const none = { cpuPct: 0, memPct: 0, diskPct: 0 }
  assert.deepEqual(kernels, { jupyterUp: true, activeKernelCount: 1, busyKernelCount: 1, ...none })
  assert.ok(lastActivityAt)
  at.server.usage = { cpu: '250000000n', memory: '128Mi' }
  const measured = await at.driver.measure(spec.instanceId, signal)
  assert.deepEqual([measured?.cpuPct, measured?.memPct, measured?.diskPct], [25, 25, 0])
  assert.equal(await at.driver.measure(newRun().instanceId, signal), undefined)
})

test('a notebook server that does not answer is measured, too', async () => {
  await using at = await openKubernetes()
  at.server.kubelet.isServing = false
  const spec = await started(at.driver)
  const measured = await at.driver.measure(spec.instanceId, signal)
  assert.deepEqual([measured?.jupyterUp, measured?.lastActivityAt], [false, undefined])
})

test('all instances are seen, on several pages that expire meanwhile', async () => {
  await using at = await openKubernetes()
  at.server.kubelet.pace.scheduleMs = 60_000
  at.server.pageMax = 2
  const specs = Array.from({ length: 5 }, newRun)
  for (const spec of specs) await at.driver.start(spec, signal)
  let lists = 0
  at.server.interfere = ({ verb }, when) => {
    if (verb === 'list' && when === 'before' && ++lists === 2) at.server.compact()
  }
  const seen = await at.driver.observe(signal)
  assert.deepEqual(
    seen.map(({ instanceId }) => instanceId).sort(),
    specs.map(({ instanceId }) => instanceId).sort(),
  )
  assert.equal(lists, 8)
})

test('objects of others in the namespace are left alone', async () => {
  await using at = await openKubernetes()
  const { store } = at.server
  const pod = podOf(newRun(), { ...settings, kubeconfig: '' })
  const metadata = {
    name: 'of-others',
    namespace: 'notebooks',
    labels: {},
    uid: '',
    resourceVersion: '',
  }
  store.create('pods', { ...pod, metadata } as never, false)
  assert.deepEqual(await at.driver.observe(signal), [])
})

test('the document has the permissions that the driver uses, and no others', async () => {
  await using at = await openKubernetes()
  at.server.usage = { cpu: '0', memory: '0' }
  assert.equal(await at.driver.unavailableReason(), undefined)
  const spec = await started(at.driver)
  await at.driver.measure(spec.instanceId, signal)
  const waits = at.driver.changed?.(5000, signal)
  await at.driver.stop(spec, signal)
  await waits
  await stateOf(at.driver, spec, 'stopped')
  const next = { ...newRun(), instanceId: spec.instanceId }
  await at.driver.start(next, signal)
  await stateOf(at.driver, next, 'running')
  // What an earlier pod of the same run left.
  const { store } = at.server
  at.server.quota = { 'requests.storage': 1 }
  const refused = newRun()
  await assert.rejects(at.driver.start(refused, signal))
  await until(async () => store.list('services').length === 1, 'its objects to be collected')
  for (const plural of ['secrets', 'services', 'networkpolicies']) {
    const left = store.list(plural)[0]
    assert.ok(left)
    const { ownerReferences: _, ...metadata } = left.metadata
    const name = `run-${refused.runId}`
    store.create(plural, { ...left, immutable: false, metadata: { ...metadata, name } }, false)
  }
  at.server.quota = {}
  await at.driver.start(refused, signal)
  await stateOf(at.driver, refused, 'running')
  await at.driver.remove(spec.instanceId, signal)
  assert.equal(await observed(at.driver, spec.instanceId), undefined)
  const table = [
    ...(await readFile(document, 'utf8')).matchAll(
      /^\| `([a-z]+)`(?: \(([a-z0-9.]+)\))? \| ([a-z, ]+) \|$/gm,
    ),
  ]
  const documented = table.flatMap(([, plural, group = '', verbs = '']) =>
    verbs
      .split(', ')
      .map((verb) => `${verb} ${plural}${group === 'metrics.k8s.io' ? `.${group}` : ''}`),
  )
  assert.deepEqual([...at.server.used].sort(), documented.sort())
})
