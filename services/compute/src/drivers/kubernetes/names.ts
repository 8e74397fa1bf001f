/** In the names of our labels, annotations and finalizers. */
const prefix = 'figbase'

export const instanceLabel = `${prefix}/instance`
export const runLabel = `${prefix}/run`

/** Of a pod that must not begin yet. */
export const startGate = `${prefix}/start`
/** Keeps a pod until it is recorded how its run ended. */
export const runFinalizer = `${prefix}/run`

/** Annotations of a pod. */
export const basePathAnnotation = `${prefix}/base-path`
export const addressAnnotation = `${prefix}/address`
/** When its container began: a node that restarts can forget it. */
export const startedAtAnnotation = `${prefix}/started-at`
/** When it was first seen to serve. */
export const servedAtAnnotation = `${prefix}/served-at`
/** Why the driver ended it. */
export const failureAnnotation = `${prefix}/failure`

const managedBy = { 'app.kubernetes.io/managed-by': 'figbase' }
/** Selects all of our objects. */
export const selector = 'app.kubernetes.io/managed-by=figbase'

export const labelsOf = (instanceId: string, runId?: string): Record<string, string> => ({
  ...managedBy,
  'app.kubernetes.io/name': 'notebook',
  [instanceLabel]: instanceId,
  ...(runId && { [runLabel]: runId }),
})

/** Of the record, the volume and the pod: an instance can have only one of each. */
export const instanceName = (instanceId: string): string => `notebook-${instanceId}`

/** Of the objects that belong to one run. */
export const runName = (runId: string): string => `run-${runId}`

/** Of the notebook server in its pod. */
export const containerName = 'notebook'

type Labelled = { metadata: { labels?: Record<string, string> | undefined } }

export const instanceOf = ({ metadata }: Labelled): string => metadata.labels?.[instanceLabel] ?? ''
export const runOf = ({ metadata }: Labelled): string => metadata.labels?.[runLabel] ?? ''

/** Keys in the secret of a run. */
export const starterKey = 'starter'
export const variableKey = (name: string): string => `variable.${name}`
