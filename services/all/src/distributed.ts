import { join } from 'node:path'
import { type EnvReader, readSettings } from '@figbase/kit/config'
import { freePort } from '@figbase/kit/net'
import { readOperationsSettings } from '@figbase/kit/operations'
import { peerSettingOf } from '@figbase/kit/rpc'
import { adminPasswordName } from './admin-password.js'
import { type Child, startChild } from './child.js'
import type { Failure } from './failure.js'
import type { ProductOptions, RunningProduct } from './product.js'
import { gatewayProgram, type Program, servicePrograms } from './programs.js'
import { startRestartingChild } from './restarting-child.js'
import { secretsEnv } from './secrets.js'

export type Programs = { services: Program[]; gateway: Program }

const figbase: Programs = { services: servicePrograms, gateway: gatewayProgram }

export const readDistributedSettings = (env: EnvReader): { replicas: number } => ({
  replicas: env.positiveInt(
    'FIGBASE_REPLICAS',
    1,
    'with `--distributed`: processes per service; with several, a process that dies is restarted',
  ),
})

/**
 * Starts `FIGBASE_REPLICAS` processes per service, and one for the gateway. When the only process of a kind dies,
 * everything stops; with several, it is restarted.
 */
export async function startDistributed(
  options: ProductOptions,
  { services, gateway }: Programs = figbase,
): Promise<RunningProduct> {
  const { replicas } = readSettings(options.env, readDistributedSettings)
  const ports = new Map<string, number[]>()
  for (const { name } of services) {
    const own: number[] = []
    while (own.length < replicas) own.push(await freePort())
    ports.set(name, own)
  }
  const env = childEnv(options, ports)
  const gateways: Child[] = []
  const backends: Child[] = []
  const running = { died: new Promise<Failure>(() => {}), ...controls(gateways, backends) }
  const start = replicas > 1 ? startRestartingChild : startChild
  try {
    const startService = async ({ name, file }: Program) => {
      const own = (ports.get(name) ?? []).map((port) =>
        start(name, file, { ...env, RPC_PORT: String(port) }),
      )
      backends.push(...own)
      const ready = await Promise.all(own.map((child) => child.ready))
      return ready.map(({ operationsPort }) => ({ name, operationsPort }))
    }
    const ready = (await Promise.all(services.map(startService))).flat()
    const child = startChild(gateway.name, gateway.file, env)
    gateways.push(child)
    const { port, operationsPort } = await child.ready
    const operations = describePorts([...ready, { name: gateway.name, operationsPort }])
    const died = Promise.race([...gateways, ...backends].map((each) => each.died))
    const rpc = [...ports].map(([name, own]) => `${name} on port ${own.join(' and ')}`).join(', ')
    const url = publicUrl(options.env, port)
    return { ...running, url, rpc, ...(operations && { operations }), died }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}

/** The operations port of each process that has one. */
const describePorts = (processes: { name: string; operationsPort?: number | undefined }[]) =>
  processes
    .filter(({ operationsPort }) => operationsPort !== undefined)
    .map(({ name, operationsPort }) => `${name} on port ${operationsPort}`)
    .join(', ')

// The same URL as the gateway reports.
function publicUrl({ PUBLIC_URL, HOST = '' }: NodeJS.ProcessEnv, port: number): string {
  const host = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return PUBLIC_URL?.replace(/\/+$/, '') || `http://${host}:${port}`
}

function childEnv(options: ProductOptions, ports: Map<string, number[]>): NodeJS.ProcessEnv {
  const { dataDir, databaseUrl, secrets } = options
  const { port: operationsPort } = readSettings(options.env, readOperationsSettings)
  const scheme = options.env.RPC_TLS_CERT_FILE ? 'https' : 'http'
  const urls = [...ports].map(([name, own]) => [
    peerSettingOf(name),
    own.map((port) => `${scheme}://127.0.0.1:${port}`).join(','),
  ])
  return {
    ...options.env,
    ...Object.fromEntries(urls),
    // Each process chooses its own port.
    ...(operationsPort !== undefined && { OPERATIONS_PORT: '0' }),
    DATABASE_URL: databaseUrl,
    ...secretsEnv(secrets),
    FIGBASE_DATA_DIR: dataDir,
    OBJECTS_DIR: join(dataDir, 'objects'),
    MAIL_DIR: options.env.MAIL_DIR || join(dataDir, 'mail'),
    COMPUTE_LOCAL_DIR: options.env.COMPUTE_LOCAL_DIR || join(dataDir, 'compute'),
    ADMIN_PASSWORD_FILE: join(dataDir, adminPasswordName),
  }
}

// The gateway stops first: its requests in flight need the services.
function controls(gateways: Child[], backends: Child[]) {
  return {
    abandon() {
      for (const child of [...gateways, ...backends]) child.kill()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(gateways.map((child) => child.stop()))
      await Promise.all(backends.map((child) => child.stop()))
    },
  }
}
