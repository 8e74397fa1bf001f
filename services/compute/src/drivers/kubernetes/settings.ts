import type { EnvReader } from '@figbase/kit/config'
import { type Destination, type Peer, parseDestination, parsePeer } from './peers.js'

export type KubernetesSettings = {
  /** Empty: that of the credentials. */
  namespace: string
  /** Path of a kubeconfig file; empty: the credentials of the pod that this process runs in. */
  kubeconfig: string
  image: string
  jupyterPath: string
  imagePullSecret: string
  /** Empty: the default one of the cluster. */
  storageClass: string
  /** Also the group of the volume. */
  uid: number
  port: number
  temporaryBytesMax: number
  startTimeoutMs: number
  clients: Peer[]
  destinations: Destination[]
  dns: Destination[]
}

const uidMax = 2 ** 31 - 1
const peerExample = 'figbase:app.kubernetes.io/component=compute'
const destinationExample = 'figbase:app.kubernetes.io/component=gateway:8000,203.0.113.7/32:443'

/** `isUsed`: whether notebooks run on Kubernetes, so that what has no default is required. */
export function readKubernetesSettings(env: EnvReader, isUsed: boolean): KubernetesSettings {
  const settings = {
    namespace: env.text(
      'COMPUTE_KUBERNETES_NAMESPACE',
      '',
      'the namespace of the notebooks of the driver `kubernetes`, which nothing else uses; default: that of the credentials',
    ),
    kubeconfig: env.text(
      'COMPUTE_KUBERNETES_KUBECONFIG',
      '',
      'kubeconfig file with the credentials for the cluster; default: those of the pod that Figbase runs in',
    ),
    image: env.text(
      'COMPUTE_KUBERNETES_IMAGE',
      '',
      'the image of notebooks, with JupyterLab, best with a digest; required with the driver `kubernetes`',
    ),
    jupyterPath: env.text(
      'COMPUTE_KUBERNETES_JUPYTER_PATH',
      'jupyter-lab',
      'the notebook server in the image: JupyterLab or Notebook 7',
    ),
    imagePullSecret: env.text(
      'COMPUTE_KUBERNETES_IMAGE_PULL_SECRET_NAME',
      '',
      'name of the secret with which the image is pulled',
    ),
    storageClass: env.text(
      'COMPUTE_KUBERNETES_STORAGE_CLASS',
      '',
      'storage class of the volumes; default: the default one of the cluster',
    ),
    uid: env.positiveInt(
      'COMPUTE_KUBERNETES_UID',
      1000,
      'user and group id of notebooks in their pods',
    ),
    port: env.port('COMPUTE_KUBERNETES_PORT', 8888, 'port of the notebook server in its pod'),
    temporaryBytesMax: env.bytes(
      'COMPUTE_KUBERNETES_TMP_BYTES_MAX',
      '1GiB',
      'maximum size of `/tmp` of a notebook; if it takes more, it is ended',
    ),
    startTimeoutMs: env.duration(
      'COMPUTE_KUBERNETES_START_TIMEOUT',
      '10m',
      'timeout for a node, the image and the start of the notebook server',
    ),
    clients: readList(
      env,
      'COMPUTE_KUBERNETES_CLIENTS',
      'who may connect to notebooks, comma-separated: the pods of the service compute, as a namespace and labels, or address ranges; required with the driver `kubernetes`',
      '',
      peerExample,
      parsePeer,
    ),
    destinations: readList(
      env,
      'COMPUTE_KUBERNETES_DESTINATIONS',
      'what notebooks may connect to besides DNS, comma-separated: the gateway and its port, as a namespace and labels, or address ranges; required with the driver `kubernetes`',
      '',
      destinationExample,
      parseDestination,
    ),
    dns: readList(
      env,
      'COMPUTE_KUBERNETES_DNS',
      'the DNS servers of notebooks and their port, comma-separated',
      'kube-system:k8s-app=kube-dns:53',
      'kube-system:k8s-app=kube-dns:53',
      parseDestination,
    ),
  }
  if (settings.uid > uidMax) env.problems.push(`COMPUTE_KUBERNETES_UID: must be at most ${uidMax}`)
  if (isUsed) requireAll(env, settings)
  return settings
}

function requireAll(env: EnvReader, { image, clients, destinations }: KubernetesSettings) {
  const required = {
    COMPUTE_KUBERNETES_IMAGE: image,
    COMPUTE_KUBERNETES_CLIENTS: clients,
    COMPUTE_KUBERNETES_DESTINATIONS: destinations,
  }
  for (const [name, value] of Object.entries(required)) {
    const isMalformed = env.problems.some((problem) => problem.startsWith(`${name}:`))
    if (value.length > 0 || isMalformed) continue
    env.problems.push(`${name} is required with COMPUTE_DRIVER=kubernetes`)
  }
}

function readList<T>(
  env: EnvReader,
  name: string,
  about: string,
  fallback: string,
  example: string,
  parse: (text: string) => T | undefined,
): T[] {
  const value = env.text(name, fallback, about)
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  const parsed = items.flatMap((item) => parse(item) ?? [])
  if (parsed.length < items.length) env.reportInvalid(name, value, about, example)
  return parsed
}
