import type { Manifest } from './manifests.js'
import { idOf } from './manifests.js'

/** What an upgrade cannot change, by object: Kubernetes refuses it, or the data would be lost. */
export type ImmutableParts = Record<string, unknown>

/** A version of the chart that was released: values, and what they made. */
export type ReleasedVersion = {
  version: string
  sets: Record<string, { values: object; parts: ImmutableParts }>
}

export const immutableParts = (manifests: Manifest[]): ImmutableParts =>
  Object.fromEntries(
    manifests.flatMap((manifest) => {
      const part = partOf(manifest)
      return part === undefined ? [] : [[idOf(manifest), part]]
    }),
  )

function partOf({ kind, metadata, spec, roleRef, type }: Manifest): unknown {
  // Hooks are created anew.
  if (metadata.annotations?.['helm.sh/hook']) return undefined
  switch (kind) {
    case 'Deployment':
      return { selector: spec.selector }
    case 'StatefulSet':
      return {
        selector: spec.selector,
        serviceName: spec.serviceName,
        claims: spec.volumeClaimTemplates ?? [],
      }
    case 'PersistentVolumeClaim':
      return { accessModes: spec.accessModes, storageClassName: spec.storageClassName ?? '' }
    case 'Service':
      return { clusterIP: spec.clusterIP ?? '' }
    case 'RoleBinding':
      return { roleRef }
    case 'Secret':
      return { type }
    default:
      return undefined
  }
}
