import type { V1Pod } from '@kubernetes/client-node'
import type { Json } from '../../src/drivers/kubernetes/objects.js'

/** What a pod has that the Pod Security Standard `restricted` forbids. */
export function violationsOf(pod: Pick<Json<V1Pod>, 'spec'>): string[] {
  const { spec } = pod
  if (!spec) return ['no spec']
  const ofPod = spec.securityContext
  const host = spec.hostNetwork || spec.hostPID || spec.hostIPC
  const volumes = spec.volumes?.flatMap((volume) => Object.keys(volume)) ?? []
  const permitted = [
    'name',
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ]
  const all = [...(spec.initContainers ?? []), ...spec.containers]
  return [
    ...(host ? ['host namespaces'] : []),
    ...volumes
      .filter((type) => !permitted.includes(type))
      .map((type) => `restricted volume type "${type}"`),
    ...all.flatMap(({ name, securityContext: own }) => [
      ...(own?.privileged ? ['privileged'] : []),
      ...(own?.allowPrivilegeEscalation === false
        ? []
        : [`allowPrivilegeEscalation != false (container "${name}")`]),
      ...(own?.capabilities?.drop?.includes('ALL') && !own.capabilities.add
        ? []
        : ['unrestricted capabilities']),
      ...((own?.runAsNonRoot ?? ofPod?.runAsNonRoot) ? [] : ['runAsNonRoot != true']),
      ...((own?.runAsUser ?? ofPod?.runAsUser) === 0 ? ['runAsUser=0'] : []),
      ...(['RuntimeDefault', 'Localhost'].includes(
        (own?.seccompProfile ?? ofPod?.seccompProfile)?.type ?? '',
      )
        ? []
        : ['seccompProfile']),
    ]),
  ]
}
