import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { namespace } from './helm.js'
import { type Manifest, ofKind } from './manifests.js'

/** As much of the API of Kubernetes as `lookup` of a Secret needs; `kubeconfig` is its address. */
export type SecretsCluster = AsyncDisposable & { kubeconfig: string }

/** Has the Secrets among the manifests, and knows the kinds of all of them. */
export async function startSecretsCluster(
  dir: string,
  manifests: Manifest[],
): Promise<SecretsCluster> {
  const versions = [...new Set(manifests.map(({ apiVersion }) => apiVersion))]
  const groups = versions.filter((version) => version.includes('/'))
  const answers: Record<string, object> = {
    '/version': { major: '1', minor: '35', gitVersion: 'v1.35.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) },
    ...Object.fromEntries(
      versions.map((groupVersion) => [
        `${groupVersion.includes('/') ? '/apis' : '/api'}/${groupVersion}`,
        {
          kind: 'APIResourceList',
          apiVersion: 'v1',
          groupVersion,
          resources: resourcesOf(manifests, groupVersion),
        },
      ]),
    ),
    ...Object.fromEntries(
      ofKind(manifests, 'Secret').map((secret) => [
        `/api/v1/namespaces/${namespace}/secrets/${secret.metadata.name}`,
        stored(secret),
      ]),
    ),
  }
  const server = createServer((req, res) => {
    const answer = answers[req.url?.split('?')[0] ?? '']
    res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    res.end(
      JSON.stringify(
        answer ?? {
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: 'NotFound',
          code: 404,
        },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const kubeconfig = join(dir, 'kubeconfig')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      users: [{ name: 'test', user: {} }],
    }),
  )
  return {
    kubeconfig,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A cluster keeps all values in `data`. */
function stored({ stringData = {}, data = {}, ...secret }: Manifest): Manifest {
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ])
  return { ...secret, data: { ...data, ...Object.fromEntries(encoded) } } as Manifest
}

function groupOf(groupVersion: string) {
  const [name, version] = groupVersion.split('/')
  return {
    name,
    versions: [{ groupVersion, version }],
    preferredVersion: { groupVersion, version },
  }
}

const resourcesOf = (manifests: Manifest[], groupVersion: string) =>
  [
    ...new Set(manifests.filter((one) => one.apiVersion === groupVersion).map(({ kind }) => kind)),
  ].map((kind) => ({
    name: `${kind.toLowerCase()}s`.replace(/ys$/, 'ies'),
    singularName: kind.toLowerCase(),
    namespaced: true,
    kind,
    verbs: ['get', 'list'],
  }))
