import type {
  V1ConfigMap,
  V1NetworkPolicy,
  V1ObjectMeta,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Secret,
  V1Service,
} from '@kubernetes/client-node'

/** How the API server sends an object of the client library: times are text, and names are those of the API. */
export type Json<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T as Key extends `_${infer Name}` ? Name : Key]: Json<T[Key]> }
      : T

type Models = {
  ConfigMap: V1ConfigMap
  NetworkPolicy: V1NetworkPolicy
  PersistentVolumeClaim: V1PersistentVolumeClaim
  Pod: V1Pod
  Secret: V1Secret
  Service: V1Service
}

export type Kind = keyof Models

type Meta = Json<V1ObjectMeta>

/** An object to create. */
export type Manifest<K extends Kind> = Omit<Json<Models[K]>, 'metadata'> & {
  kind: K
  metadata: Meta & { name: string }
}

/** An object of the API server. */
export type Stored<K extends Kind> = Omit<Json<Models[K]>, 'metadata'> & {
  metadata: Meta & { name: string; uid: string; resourceVersion: string }
}

/** Where the API server has the objects of a kind. */
export const paths: Record<Kind, { group: string; plural: string }> = {
  ConfigMap: { group: 'api/v1', plural: 'configmaps' },
  NetworkPolicy: { group: 'apis/networking.k8s.io/v1', plural: 'networkpolicies' },
  PersistentVolumeClaim: { group: 'api/v1', plural: 'persistentvolumeclaims' },
  Pod: { group: 'api/v1', plural: 'pods' },
  Secret: { group: 'api/v1', plural: 'secrets' },
  Service: { group: 'api/v1', plural: 'services' },
}
