import express, { type Express } from 'express'
import { corsHeaders, safeHeaders } from './http/headers.js'

/**
 * Serves what is neither the API nor a page of `pages/`; express is seen here only. `missing`: the
 * services that do not answer.
 */
export function createApp(options: { missing(): Promise<string[]> }): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((_req, res, next) => {
    res.set(safeHeaders).set(corsHeaders)
    next()
  })
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' })
  })
  app.get('/readyz', async (_req, res) => {
    const missing = await options.missing()
    const isReady = missing.length === 0
    const not_ready = missing.map((name) => ({ name }))
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', not_ready })
  })
  app.get('/', (_req, res) => {
    res.json({ service: 'figbase', api: '/api/v1.4.1/', documentation: '/api/v1.4.1/openapi.json' })
  })
  app.use((_req, res) => {
    res.status(404).json({ error: 'not_found', detail: 'there is no such page' })
  })
  return app
}
