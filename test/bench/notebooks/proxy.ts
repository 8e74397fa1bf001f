import { randomUUID } from 'node:crypto'
import { createNotebookServer, createTickets, readConnectSettings } from '@figbase/compute/connect'
import { readSettings } from '@figbase/kit/config'
import { keysFrom } from '@figbase/kit/keys'
import { createLogger } from '@figbase/kit/log'
import type { Start, Started } from './messages.js'

/** Serves one notebook as compute does, without a database: each check of the session finds it allowed. */
process.on('message', async ({ notebookPort }: Start) => {
  const tickets = createTickets(keysFrom('a secret of the benchmark'))
  const session = {
    id: randomUUID(),
    instanceId: randomUUID(),
    runId: randomUUID(),
    username: 'ada',
    tokenGeneration: 1,
    apiKeyId: '',
  }
  const target = { address: `http://127.0.0.1:${notebookPort}`, token: 'a'.repeat(43) }
  const server = createNotebookServer({
    settings: readSettings({ COMPUTE_PORT: '0', COMPUTE_SESSION_REQUESTS_MAX: '1000' }, (env) =>
      readConnectSettings(env, { isUsed: true }),
    ),
    tickets,
    load: async (sessions) => new Map(sessions.map(({ id }) => [id, target])),
    useAddress: async () => true,
    log: createLogger('compute', 'warn'),
  })
  await server.start()
  const { instanceId } = session
  const result: Started = {
    port: server.port(),
    cookie: `figbase-notebook=${tickets.signCookie(session, 3_600_000)}`,
    path: `/instance/${instanceId}/api/status`,
    host: server.origin().hostOf(instanceId),
  }
  process.send?.({ result })
})
