import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DriverHarness } from '../../src/drivers/contract.js'
import {
  createKubernetesDriver,
  type KubernetesSettings,
} from '../../src/drivers/kubernetes/index.js'
import { ApiServer, namespace, token } from './api-server.js'

export const settings: Omit<KubernetesSettings, 'kubeconfig'> = {
  namespace,
  image: 'notebook:1',
  jupyterPath: 'jupyter-lab',
  imagePullSecret: '',
  storageClass: '',
  uid: 1000,
  port: 8888,
  temporaryBytesMax: 2 ** 30,
  startTimeoutMs: 600_000,
  clients: [{ namespace: 'figbase', labels: { app: 'compute' } }],
  destinations: [{ namespace: 'figbase', labels: { app: 'gateway' }, port: 8000 }],
  dns: [{ namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' }, port: 53 }],
}

export type KubernetesHarness = DriverHarness & {
  server: ApiServer
  kubeconfig: string
  open(change?: Partial<KubernetesSettings>): ReturnType<typeof createKubernetesDriver>
}

/** A driver with a cluster of its own. Files of volumes are annotations of their claims. */
export async function openKubernetes(
  change: Partial<KubernetesSettings> = {},
): Promise<KubernetesHarness> {
  const server = await ApiServer.start()
  const directory = await mkdtemp(join(tmpdir(), 'figbase-kubernetes-'))
  const kubeconfig = join(directory, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigOf(server.url))
  const open = (more: Partial<KubernetesSettings> = {}) =>
    createKubernetesDriver({ ...settings, kubeconfig, ...change, ...more })
  const volumeOf = (instanceId: string) =>
    server.store.find('persistentvolumeclaims', `notebook-${instanceId}`)
  return {
    server,
    kubeconfig,
    open,
    driver: open(),
    inAnotherProcess: async () => open(),
    async writeFile(instanceId, name) {
      const volume = volumeOf(instanceId)
      if (!volume) throw new Error('there is no volume')
      const { metadata } = volume
      const annotations = { ...metadata.annotations, [`files/${name}`]: '' }
      server.store.update('persistentvolumeclaims', {
        ...volume,
        metadata: { ...metadata, annotations },
      })
    },
    hasFile: async (instanceId, name) =>
      volumeOf(instanceId)?.metadata.annotations?.[`files/${name}`] !== undefined,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

/** As `kubectl` has it. Without TLS, the library wants to be told that nothing is verified. */
export const kubeconfigOf = (server: string, bearer = token): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: { token: bearer } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
  })
