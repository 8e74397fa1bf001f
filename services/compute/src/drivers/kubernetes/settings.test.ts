import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnvReader } from '@figbase/kit/config'
import { readKubernetesSettings } from './settings.js'

const required = {
  COMPUTE_KUBERNETES_IMAGE: 'notebook:1',
  COMPUTE_KUBERNETES_CLIENTS: 'figbase:app=compute',
  COMPUTE_KUBERNETES_DESTINATIONS: 'figbase:app=gateway:8000, 203.0.113.7/32:443',
}

function read(env: Record<string, string>, isUsed = true) {
  const reader = new EnvReader(env)
  return { settings: readKubernetesSettings(reader, isUsed), problems: reader.problems }
}

test('what has no default is required, but only with this driver', () => {
  assert.deepEqual(read({}, false).problems, [])
  const named = read({}).problems.map((problem) => problem.split(' ')[0])
  assert.deepEqual(named, Object.keys(required))
  const { settings, problems } = read(required)
  assert.deepEqual(problems, [])
  assert.deepEqual(settings.destinations, [
    { namespace: 'figbase', labels: { app: 'gateway' }, port: 8000 },
    { cidr: '203.0.113.7/32', port: 443 },
  ])
  assert.equal(settings.dns[0]?.port, 53)
})

test('malformed peers are reported with their setting', () => {
  const { problems } = read({
    ...required,
    COMPUTE_KUBERNETES_CLIENTS: 'everybody',
    COMPUTE_KUBERNETES_DNS: '10.0.0.0/8',
    COMPUTE_KUBERNETES_UID: '0',
  })
  const named = problems.map((problem) => problem.split(':')[0])
  assert.deepEqual(named, [
    'COMPUTE_KUBERNETES_UID',
    'COMPUTE_KUBERNETES_CLIENTS',
    'COMPUTE_KUBERNETES_DNS',
  ])
})
