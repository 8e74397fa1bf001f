import { newOrderedId } from '@figbase/kit/ids'
import { DriverFailed, type RunSpec } from '../port.js'
import { toDriverFailed } from './api-error.js'
import type { Cluster } from './cluster.js'
import { podOf } from './pod.js'
import type { KubernetesSettings } from './settings.js'

const timeoutMs = 3000
const memoryBytes = 2 ** 27

/** Why no notebook can be launched. The cluster checks the smallest one, with its policies and quotas, and creates none. */
export async function findProblem(
  cluster: () => Promise<Cluster>,
  settings: KubernetesSettings,
): Promise<string | undefined> {
  const controller = new AbortController()
  const late = new DriverFailed('The Kubernetes cluster did not respond in time.')
  const timer = setTimeout(() => controller.abort(late), timeoutMs)
  const spec: RunSpec = {
    instanceId: newOrderedId(),
    runId: newOrderedId(),
    vcpu: 0.1,
    memoryBytes,
    volumeBytesMax: 2 ** 30,
    environment: {},
    basePath: '/',
    token: '',
  }
  try {
    await (await cluster()).create(podOf(spec, settings), controller.signal, true)
    return undefined
  } catch (error) {
    const failed = toDriverFailed(error)
    if (failed instanceof DriverFailed) return failed.message
    throw error
  } finally {
    clearTimeout(timer)
  }
}
