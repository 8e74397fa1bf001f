import assert from 'node:assert/strict'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { instanceDirectory } from '../src/drivers/local/instance-directory.js'
import type { Observation, RunSpec } from '../src/drivers/port.js'
import type { openLocal } from './local.js'

type Local = Awaited<ReturnType<typeof openLocal>>

export const signal: AbortSignal = new AbortController().signal
const patienceMs = 60_000

export async function until<T>(
  find: () => Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    assert.ok(performance.now() < endsAt, `waited too long for ${what}`)
    await sleep(20)
  }
}

export const observed = async ({ driver }: Local, { instanceId }: RunSpec) =>
  (await driver.observe(signal)).find((one) => one.instanceId === instanceId)

/** Resolves when the notebook server serves. */
export async function started(at: Local, spec: RunSpec): Promise<Observation> {
  await at.driver.start(spec, signal)
  return until(async () => {
    const found = await observed(at, spec)
    assert.notEqual(found?.state, 'failed', found?.detail)
    return found?.state === 'running' && found
  }, 'the notebook server')
}

/**
 * Runs Python as a kernel of a running instance; resolves to what it passes to `report`. It goes on running after
 * that.
 */
export async function inKernel(at: Local, spec: RunSpec, code: string): Promise<unknown> {
  const found = await observed(at, spec)
  const { volume } = instanceDirectory(at.root, spec.instanceId)
  const name = `attempt-${performance.now()}`.replace('.', '-')
  const program = `
import json, os, time
def report(value):
    with open('${name}.tmp', 'w') as file: json.dump(value, file)
    os.rename('${name}.tmp', '${name}.json')
# Jupyter starts a kernel again that was ended.
if os.path.exists('${name}.json'): time.sleep(3600)
${code}
time.sleep(3600)`
  await writeKernel(volume, name, program)
  const response = await fetch(`${found?.address}${spec.basePath}api/kernels`, {
    method: 'POST',
    headers: { authorization: `token ${spec.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  assert.equal(response.status, 201, await response.text())
  const path = join(volume, `${name}.json`)
  const text = await until(() => readFile(path, 'utf8').catch(() => undefined), code)
  return JSON.parse(text)
}

async function writeKernel(volume: string, name: string, program: string) {
  const { uid, gid } = await stat(volume)
  let path = volume
  for (const part of ['.local', 'share', 'jupyter', 'kernels', name]) {
    path = join(path, part)
    await mkdir(path).catch(() => {})
    await chown(path, uid, gid)
  }
  const spec = { argv: ['python3', '-c', program], display_name: name, language: 'python' }
  await writeFile(join(path, 'kernel.json'), JSON.stringify(spec))
}
