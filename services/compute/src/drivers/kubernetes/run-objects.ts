import type { RunSpec } from '../port.js'
import { starterNotebook } from '../starter-notebook.js'
import { instanceName, labelsOf, runLabel, runName, starterKey, variableKey } from './names.js'
import { networkPolicySpec } from './network-policy.js'
import type { Manifest, Stored } from './objects.js'
import { variablesOf } from './pod.js'
import type { KubernetesSettings } from './settings.js'

type RunObject = Manifest<'Secret'> | Manifest<'Service'> | Manifest<'NetworkPolicy'>

/** What a run needs besides its pod and its volume. Kubernetes deletes it with the pod. */
export function runObjectsOf(
  spec: RunSpec,
  settings: KubernetesSettings,
  pod: Stored<'Pod'>,
): { secret: Manifest<'Secret'>; service: Manifest<'Service'>; policy: Manifest<'NetworkPolicy'> } {
  const { instanceId, runId } = spec
  const { name, uid } = pod.metadata
  const metadata: RunObject['metadata'] = {
    name: runName(runId),
    labels: labelsOf(instanceId, runId),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid }],
  }
  const variables = Object.entries(variablesOf(spec)).map(([key, value]) => [
    variableKey(key),
    value,
  ])
  return {
    secret: {
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      immutable: true,
      stringData: { ...Object.fromEntries(variables), [starterKey]: starterNotebook() },
    },
    service: {
      kind: 'Service',
      metadata,
      spec: {
        selector: { [runLabel]: runId },
        ports: [{ name: 'http', port: settings.port, targetPort: settings.port }],
      },
    },
    policy: {
      kind: 'NetworkPolicy',
      metadata,
      spec: networkPolicySpec({ [runLabel]: runId }, settings),
    },
  }
}

/** The volume of an instance outlives its runs, and is deleted only by `remove`: nothing owns it. */
export const volumeOf = (
  { instanceId, volumeBytesMax }: RunSpec,
  { storageClass }: KubernetesSettings,
): Manifest<'PersistentVolumeClaim'> => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name: instanceName(instanceId), labels: labelsOf(instanceId) },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: `${volumeBytesMax}` } },
    ...(storageClass && { storageClassName: storageClass }),
  },
})
