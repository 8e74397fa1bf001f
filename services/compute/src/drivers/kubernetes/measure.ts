import { jupyterApi } from '../jupyter.js'
import type { Measurement } from '../port.js'
import type { Cluster } from './cluster.js'
import {
  addressAnnotation,
  basePathAnnotation,
  containerName,
  instanceName,
  runName,
  runOf,
  variableKey,
} from './names.js'
import { observationOf } from './pod-state.js'
import { parseQuantity } from './quantity.js'

/** What the notebook server says of its kernels, and what the cluster measured of the pod, if it does. */
export async function measurePod(
  cluster: Cluster,
  instanceId: string,
  signal: AbortSignal,
): Promise<Measurement | undefined> {
  const pod = await cluster.find('Pod', instanceName(instanceId), signal)
  const isRunning = pod && observationOf(pod, [], new Date()).state === 'running'
  if (!isRunning || pod.metadata.deletionTimestamp) return undefined
  const { [addressAnnotation]: address = '', [basePathAnnotation]: basePath = '/' } =
    pod.metadata.annotations ?? {}
  const [token, usage] = await Promise.all([
    tokenOf(cluster, runOf(pod), signal),
    cluster.findUsage(pod.metadata.name, signal),
  ])
  const api = jupyterApi(`${address}${basePath}`, token)
  const jupyter = await api.state().catch(() => undefined)
  const { cpu, memory } = usageOf(usage)
  const limits = pod.spec?.containers.find(isNotebook)?.resources?.limits ?? {}
  return {
    jupyterUp: jupyter !== undefined,
    activeKernelCount: jupyter?.kernels ?? 0,
    busyKernelCount: jupyter?.busyKernels ?? 0,
    cpuPct: percent(cpu, limits.cpu),
    memPct: percent(memory, limits.memory),
    // Nobody but the node knows it.
    diskPct: 0,
    ...(jupyter && { lastActivityAt: jupyter.lastActivityAt }),
  }
}

async function tokenOf(cluster: Cluster, runId: string, signal: AbortSignal): Promise<string> {
  const secret = await cluster.find('Secret', runName(runId), signal)
  return Buffer.from(secret?.data?.[variableKey('JUPYTER_TOKEN')] ?? '', 'base64').toString()
}

type Used = { name: string; usage?: Record<string, string> }

const isNotebook = ({ name }: { name: string }) => name === containerName

function usageOf(usage: unknown): { cpu: string; memory: string } {
  const { containers = [] } = (usage ?? {}) as { containers?: Used[] }
  const { cpu = '0', memory = '0' } = containers.find(isNotebook)?.usage ?? {}
  return { cpu, memory }
}

function percent(part: string, whole = '0'): number {
  const share = (100 * parseQuantity(part)) / parseQuantity(whole)
  return Number.isFinite(share) ? Math.round(Math.min(100, Math.max(0, share))) : 0
}
