import { type Agent, Agent as HttpAgent } from 'node:http'
import { type AgentOptions, Agent as HttpsAgent } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import { DriverFailed } from '../port.js'

/** Where the API server is, and how a request is authorized there. */
export type Target = { server: string; headers: Record<string, string>; agent: Agent }

export type Credentials = {
  /** Of the context of the credentials; empty if it names none. */
  namespace: string
  /** For one request: tokens and certificates may have been renewed. */
  target(): Promise<Target>
}

/**
 * Reads the kubeconfig file, or the credentials that Kubernetes gives to a pod. The library is loaded only here,
 * because it takes time and memory.
 */
export async function openCredentials(kubeconfig: string): Promise<Credentials> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (kubeconfig) {
    try {
      config.loadFromFile(kubeconfig)
    } catch (cause) {
      throw new DriverFailed('COMPUTE_KUBERNETES_KUBECONFIG cannot be read.', { cause })
    }
  } else {
    // Set in each pod; the library reads it, too.
    if (!process.env.KUBERNETES_SERVICE_HOST) {
      throw new DriverFailed(
        'Figbase does not run in a Kubernetes cluster, and COMPUTE_KUBERNETES_KUBECONFIG is not set.',
      )
    }
    config.loadFromCluster()
  }
  const cluster = config.getCurrentCluster()
  if (!cluster) throw new DriverFailed('The kubeconfig file has no current context.')
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? ''
  const agentOf = createAgents(cluster.server, cluster.proxyUrl !== undefined)
  return {
    namespace,
    async target() {
      const options = await optionsOf(config)
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries(options.headers ?? {})) {
        headers[name] = String(value)
      }
      if (options.auth) {
        headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`
      }
      return { server: cluster.server, headers, agent: agentOf(options) }
    },
  }
}

type Options = Parameters<KubeConfig['applyToHTTPSOptions']>[0] & AgentOptions & { agent?: Agent }

async function optionsOf(config: KubeConfig): Promise<Options> {
  const options: Options = {}
  try {
    await config.applyToHTTPSOptions(options)
  } catch (cause) {
    throw new DriverFailed('The credentials for the Kubernetes cluster cannot be read.', { cause })
  }
  return options
}

/** Those of the library open a connection for each request; ours keep them, until a certificate changes. */
function createAgents(server: string, hasProxy: boolean) {
  let known: { key: string; agent: Agent } | undefined
  return (options: Options): Agent => {
    if (hasProxy && options.agent) return options.agent
    const { ca, cert, key, servername, rejectUnauthorized } = options
    const identity = JSON.stringify([ca, cert, key].map((part) => part?.toString()))
    if (known?.key === identity) return known.agent
    known?.agent.destroy()
    const tls = {
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      ...(servername && { servername }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    }
    const agent = server.startsWith('https:')
      ? new HttpsAgent({ ...tls, keepAlive: true })
      : new HttpAgent({ keepAlive: true })
    known = { key: identity, agent }
    return agent
  }
}
