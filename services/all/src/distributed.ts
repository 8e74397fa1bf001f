import { join } from 'node:path'
import { type EnvReader, readOperationsSettings, readSettings } from '@figbase/kit'
import { adminPasswordName } from './admin-password.js'
import { type Child, startChild } from './child.js'
import type { Failure } from './failure.js'
import { startKeptChild } from './kept-child.js'
import { freePort } from './postgres/address.js'
import type { ProductOptions, RunningProduct } from './product.js'
import { gatewayProgram, type Program, servicePrograms } from './programs.js'
import { secretsEnv } from './secrets.js'

export type Programs = { services: Program[]; gateway: Program }

const figbase: Programs = { services: servicePrograms, gateway: gatewayProgram }

export const readDistributedSettings = (env: EnvReader): { replicas: number } => ({
  replicas: env.positiveInt(
    'FIGBASE_REPLICAS',
    1,
    'with `--distributed`: processes of each service; when there are several, one that dies is started again',
  ),
})

/**
 * So many processes a service as `FIGBASE_REPLICAS` says, and one for the gateway. When one dies that
 * is the only one of its kind, the whole is over; of several, it is started again.
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
  const inFront: Child[] = []
  const behind: Child[] = []
  const running = { died: new Promise<Failure>(() => {}), ...controls(inFront, behind) }
  const start = replicas > 1 ? startKeptChild : startChild
  try {
    const startService = async ({ name, file }: Program) => {
      const own = (ports.get(name) ?? []).map((port) =>
        start(name, file, { ...env, RPC_PORT: String(port) }),
      )
      behind.push(...own)
      const ready = await Promise.all(own.map((child) => child.ready))
      return ready.map(({ operationsPort }) => ({ name, operationsPort }))
    }
    const ready = (await Promise.all(services.map(startService))).flat()
    const child = startChild(gateway.name, gateway.file, env)
    inFront.push(child)
    const { port, operationsPort } = await child.ready
    const operations = inWords([...ready, { name: gateway.name, operationsPort }])
    const died = Promise.race([...inFront, ...behind].map((each) => each.died))
    const rpc = [...ports].map(([name, own]) => `${name} on port ${own.join(' and ')}`).join(', ')
    const url = publicUrl(options.env, port)
    return { ...running, url, rpc, ...(operations && { operations }), died }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}

/** The operations port of each process that has one. */
const inWords = (processes: { name: string; operationsPort?: number | undefined }[]) =>
  processes
    .filter(({ operationsPort }) => operationsPort !== undefined)
    .map(({ name, operationsPort }) => `${name} on port ${operationsPort}`)
    .join(', ')

// The same address that the gateway itself would name.
function publicUrl({ PUBLIC_URL, HOST = '' }: NodeJS.ProcessEnv, port: number): string {
  const host = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return PUBLIC_URL?.replace(/\/+$/, '') || `http://${host}:${port}`
}

function childEnv(options: ProductOptions, ports: Map<string, number[]>): NodeJS.ProcessEnv {
  const { dataDir, databaseUrl, secrets } = options
  const { port: operationsPort } = readSettings(options.env, readOperationsSettings)
  const scheme = options.env.RPC_TLS_CERT_FILE ? 'https' : 'http'
  const urls = [...ports].map(([name, own]) => [
    `${name.toUpperCase()}_URL`,
    own.map((port) => `${scheme}://127.0.0.1:${port}`).join(','),
  ])
  return {
    ...options.env,
    ...Object.fromEntries(urls),
    // Each process its own.
    ...(operationsPort !== undefined && { OPERATIONS_PORT: '0' }),
    DATABASE_URL: databaseUrl,
    ...secretsEnv(secrets),
    FIGBASE_DATA_DIR: dataDir,
    OBJECTS_DIR: join(dataDir, 'objects'),
    MAIL_DIR: options.env.MAIL_DIR || join(dataDir, 'mail'),
    ADMIN_PASSWORD_FILE: join(dataDir, adminPasswordName),
  }
}

// The gateway first: while its requests end, it needs the services behind it.
function controls(inFront: Child[], behind: Child[]) {
  return {
    abandon() {
      for (const child of [...inFront, ...behind]) child.kill()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(inFront.map((child) => child.stop()))
      await Promise.all(behind.map((child) => child.stop()))
    },
  }
}
