import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '../load/jobs.js'
import type { Product } from '../product.js'

/** Does what staff do in the settings of the site. */
export async function switchAiOn({ url, dataDir }: Product): Promise<void> {
  const password = readFileSync(join(dataDir, 'admin-password'), 'utf8').trim()
  const send = async (method: string, path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    return (await response.json()) as { access: string }
  }
  const { access } = await send('POST', '/api/token/', { username: 'admin', password })
  await send('PATCH', `${api}/settings/`, { ai_enabled: true }, `Bearer ${access}`)
}
