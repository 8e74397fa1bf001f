import type { V1ObjectMeta } from '@kubernetes/client-node'
import type { Json } from '../../src/drivers/kubernetes/objects.js'

/** Any object that the server keeps. */
export type ApiObject = {
  apiVersion?: string
  kind?: string
  metadata: Json<V1ObjectMeta> & {
    name: string
    namespace: string
    uid: string
    resourceVersion: string
  }
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
  data?: Record<string, string>
  stringData?: Record<string, string>
  immutable?: boolean
}

export const plurals: Record<string, { kind: string; group: string }> = {
  configmaps: { kind: 'ConfigMap', group: '' },
  networkpolicies: { kind: 'NetworkPolicy', group: 'networking.k8s.io' },
  persistentvolumeclaims: { kind: 'PersistentVolumeClaim', group: '' },
  pods: { kind: 'Pod', group: '' },
  secrets: { kind: 'Secret', group: '' },
  services: { kind: 'Service', group: '' },
}

/** As the API server writes times: without milliseconds. */
export const toTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z/, 'Z')

type Described = ApiObject & {
  spec: Record<string, unknown> & {
    nodeName?: string
    schedulingGates?: object[]
    terminationGracePeriodSeconds?: number
  }
  status: Record<string, unknown> & { phase?: string }
}

export const asPod = (object: ApiObject): Described => object as Described

export const isTerminal = (object: ApiObject): boolean =>
  ['Succeeded', 'Failed'].includes(String(object.status?.phase))

/** Whether the labels are as a selector says: `a=b,c=d`. */
export const isSelected = ({ metadata }: ApiObject, selector: string): boolean =>
  selector === '' ||
  selector.split(',').every((part) => {
    const [key = '', value] = part.split('=')
    return metadata.labels?.[key] === value
  })
