import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { chartDir } from './files.js'
import type { Helm, Render } from './helm.js'

export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

export type EnvVar = {
  name: string
  value?: string
  valueFrom?: { secretKeyRef: { name: string; key: string } }
}

export type Probe = {
  httpGet?: { path: string; port: string }
  periodSeconds?: number
  timeoutSeconds?: number
  failureThreshold?: number
  successThreshold?: number
}

export type Container = {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: Record<string, unknown>
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
}

export type PodSpec = {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  restartPolicy?: string
  securityContext?: Record<string, unknown>
  terminationGracePeriodSeconds?: number
  containers: Container[]
  initContainers?: Container[]
  volumes?: ({ name: string } & Record<string, unknown>)[]
  hostNetwork?: boolean
  hostPID?: boolean
}

export type Labels = Record<string, string>

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels }
  data?: Record<string, string>
  stringData?: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes are checked at run time
  spec?: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  [key: string]: any
}

export type Pod = { owner: Manifest; labels: Labels; spec: PodSpec }

export const valueSets = ['trying-out', 'one-node', 'production', 'everything'] as const
export type ValueSet = (typeof valueSets)[number] | 'default'

export const valuesFile = (set: ValueSet): string[] =>
  set === 'default' ? [] : [join(chartDir, 'ci', `${set}-values.yaml`)]

export async function render(helm: Helm, set: ValueSet, more: Render = {}): Promise<Manifest[]> {
  return parseManifests(await helm.template({ files: valuesFile(set), ...more }))
}

/** Throws an Error for YAML with duplicate keys. */
export function parseManifests(yaml: string): Manifest[] {
  return parseAllDocuments(yaml).flatMap((document) => {
    const [error] = document.errors
    if (error) throw error
    const manifest = document.toJS() as Manifest | null
    return manifest ? [manifest] : []
  })
}

export const ofKind = (manifests: Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind))

/** The pods that the manifests make. */
export function podsIn(manifests: Manifest[]): Pod[] {
  return manifests.flatMap((owner) => {
    const template = templateOf(owner)
    return template ? [{ owner, labels: template.metadata?.labels ?? {}, spec: template.spec }] : []
  })
}

function templateOf({ kind, metadata, spec }: Manifest) {
  if (kind === 'Pod') return { metadata, spec }
  if (kind === 'CronJob') return spec.jobTemplate.spec.template
  return ['Deployment', 'StatefulSet', 'Job'].includes(kind) ? spec.template : undefined
}

export const componentOf = (labels: Labels = {}): string =>
  labels['app.kubernetes.io/component'] ?? ''

export const idOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`
