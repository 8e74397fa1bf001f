import { type Readiness, readinessResponse } from '@figbase/kit/operations'
import express, { type Express, type Request, type Response } from 'express'
import { retryAfter } from './http/errors.js'
import { corsHeaders, safeHeaders } from './http/headers.js'
import { problemOf, wantsProblem } from './http/problem.js'
import { wantsPage } from './http/wants-page.js'

/** Serves everything outside the API and `pages/`: the health checks, and 404. Only this file uses express. */
export function createApp(
  readiness: Readiness,
  sendUnknownPage: (req: Request, res: Response) => void,
): Express {
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
    const { status, body } = readinessResponse(await readiness.state())
    if (status === 503) res.set(retryAfter(1))
    res.status(status).set('cache-control', 'no-store').json(body)
  })
  app.use((req, res) => {
    if (wantsPage(req.headers)) {
      sendUnknownPage(req, res)
      return
    }
    const body = { error: 'not_found', detail: 'page not found' }
    if (!wantsProblem(req.headers)) {
      res.status(404).json(body)
      return
    }
    const { type, headers, text } = problemOf({ status: 404, headers: {}, body })
    res.status(404).type(type).set(headers).send(text)
  })
  return app
}
