import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { generate } from 'selfsigned'
import { createKubernetesDriver } from '../../src/drivers/kubernetes/index.js'
import { ApiServer, namespace, token } from './api-server.js'
import { settings } from './harness.js'
import { reasonOf, signal, started } from './waiting.js'

const ca = await authority()
const serverKeys = await certificate(ca)
const base64 = (text: string) => Buffer.from(text).toString('base64')

async function authority() {
  const extensions = [{ name: 'basicConstraints', cA: true, critical: true } as const]
  const made = await generate(undefined, { keyType: 'ec', algorithm: 'sha256', extensions })
  return { key: made.private, cert: made.cert }
}

async function certificate(issuer: Awaited<ReturnType<typeof authority>>) {
  const altNames = [{ type: 7, ip: '127.0.0.1' } as const]
  const made = await generate([{ name: 'commonName', value: 'figbase' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: issuer,
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  return { key: made.private, cert: made.cert }
}

/** A server with TLS, and a driver with a kubeconfig file. */
async function open(user: object, trusted: string = ca.cert) {
  const server = await ApiServer.start({
    ...serverKeys,
    ca: ca.cert,
    requestCert: true,
    rejectUnauthorized: false,
  })
  const directory = await mkdtemp(join(tmpdir(), 'figbase-kubernetes-'))
  const kubeconfig = join(directory, 'kubeconfig')
  const cluster = { server: server.url, 'certificate-authority-data': base64(trusted) }
  const content = {
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
  }
  await writeFile(kubeconfig, JSON.stringify(content))
  return {
    server,
    // The namespace is that of the context.
    driver: createKubernetesDriver({ ...settings, namespace: '', kubeconfig }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

test('a token over TLS: few connections serve all requests', async () => {
  await using at = await open({ token })
  await started(at.driver)
  for (let count = 0; count < 20; count++) await at.driver.observe(signal)
  assert.ok(at.server.connections <= 5, `${at.server.connections} connections`)
})

test('a certificate instead of a token', async () => {
  const { key, cert } = await certificate(ca)
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
  await using at = await open(user)
  assert.deepEqual(await at.driver.observe(signal), [])
  await using other = await open({})
  assert.match(await reasonOf(other.driver.observe(signal)), /refuses the credentials/)
})

test('a server that another authority certified gets no request', async () => {
  await using at = await open({ token }, (await authority()).cert)
  assert.match(await reasonOf(at.driver.observe(signal)), /cannot be reached/)
  assert.deepEqual([...at.server.used], [])
})

test('a token that a program supplies', async () => {
  await using at = await open(execUser(token, new Date(Date.now() + 3_600_000)))
  assert.deepEqual(await at.driver.observe(signal), [])
  await using other = await open(execUser('another', new Date(Date.now() + 3_600_000)))
  assert.match(await reasonOf(other.driver.observe(signal)), /refuses the credentials/)
})

const execUser = (bearer: string, expiresAt: Date) => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: bearer, expirationTimestamp: expiresAt.toISOString() },
  }
  const args = ['-e', `console.log(${JSON.stringify(JSON.stringify(credential))})`]
  return { exec: { apiVersion: credential.apiVersion, command: process.execPath, args } }
}
