import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { repository } from './image.js'

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

/** What the tests read of a service. */
export type ComposeService = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  profiles?: string[]
  depends_on?: Record<string, { condition: Condition }>
  ports?: string[]
  volumes?: string[]
  tmpfs?: string[]
  restart?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
  mem_limit?: string
}

export type ComposeFile = {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}

const folder = join(repository, 'deploy/compose')
export const composeText = (): string => readFileSync(join(folder, 'compose.yaml'), 'utf8')
export const exampleText = (): string => readFileSync(join(folder, '.env.example'), 'utf8')

/** The values of an env file. */
export function readEnvFile(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
}

/**
 * Reads a compose file with its variables replaced, as `docker compose config` does: `${NAME}`, `${NAME:-default}` and
 * `${NAME:?message}`, which throws without a value.
 */
export function readCompose(text: string, env: Record<string, string>): ComposeFile {
  return interpolate(parse(text, { merge: true }), env) as ComposeFile
}

function interpolate(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === 'string') return replaceVariables(value, env)
  if (Array.isArray(value)) return value.map((one) => interpolate(one, env))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, interpolate(one, env)]),
  )
}

const variable = /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}|\$/g

function replaceVariables(text: string, env: Record<string, string>): string {
  return text.replace(variable, (found, name, operator, rest = '') => {
    if (found === '$$') return '$'
    if (name === undefined) throw new Error(`invalid variable in ${text}`)
    if (env[name]) return env[name]
    if (operator === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`)
    return operator === '-' ? rest : ''
  })
}
