import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelServer } from '@figbase/stories-ai/testing/model-server'

export type Provider = 'openai' | 'anthropic'

/** The settings of a product that uses a scripted model. */
export const settingsFor = (model: ModelServer, provider: Provider): Record<string, string> => ({
  AI_PROVIDER: provider,
  AI_BASE_URL: provider === 'openai' ? model.openaiUrl : model.anthropicUrl,
  AI_API_KEY: model.apiKey,
  AI_MODELS: 'small, large',
})

/** Does what staff do in the settings of the site. */
export async function switchAiOn(url: string, dataDir: string): Promise<void> {
  const password = (await readFile(join(dataDir, 'admin-password'), 'utf8')).trim()
  const send = async (method: string, path: string, body: object, token = '') => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 200, `${method} ${path}`)
    return (await response.json()) as { access: string }
  }
  const { access } = await send('POST', '/api/token/', { username: 'admin', password })
  await send('PATCH', '/api/v1.4.1/settings/', { ai_enabled: true }, access)
}
