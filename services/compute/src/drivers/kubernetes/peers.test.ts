import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDestination, parsePeer } from './peers.js'

test('peers are address ranges, or pods of a namespace with all of the labels', () => {
  assert.deepEqual(parsePeer('10.1.0.0/16'), { cidr: '10.1.0.0/16' })
  assert.deepEqual(parsePeer('2001:db8::/64'), { cidr: '2001:db8::/64' })
  assert.deepEqual(parsePeer('figbase:app.kubernetes.io/name=compute&tier=a'), {
    namespace: 'figbase',
    labels: { 'app.kubernetes.io/name': 'compute', tier: 'a' },
  })
})

test('destinations end with a port', () => {
  assert.deepEqual(parseDestination('2001:db8::/64:443'), { cidr: '2001:db8::/64', port: 443 })
  assert.deepEqual(parseDestination('kube-system:k8s-app=kube-dns:53'), {
    namespace: 'kube-system',
    labels: { 'k8s-app': 'kube-dns' },
    port: 53,
  })
})

test('what is neither is refused', () => {
  const wrong = [
    ...['', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/8/8', '2001:db8::/129', 'figbase'],
    ...['figbase:', 'figbase:app', 'Figbase:app=a', 'figbase:app=a&', ':app=a', 'figbase:app=a b'],
  ]
  for (const text of wrong) assert.equal(parsePeer(text), undefined, text)
  for (const text of ['10.0.0.0/8', '10.0.0.0/8:0', '10.0.0.0/8:65536', 'figbase:443']) {
    assert.equal(parseDestination(text), undefined, text)
  }
})
