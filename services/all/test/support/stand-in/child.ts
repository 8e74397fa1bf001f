import { serveRoutes } from './server.js'

// A process of the distributed topology: /peer calls the service, /die exits.
const { RPC_PORT, PORT, IDENTITY_URL } = process.env
const name = RPC_PORT ? 'service' : 'gateway'
const server = await serveRoutes(Number(RPC_PORT ?? PORT), {
  '/pid': async () => String(process.pid),
  '/peer': async () => (await fetch(`${IDENTITY_URL}/pid`)).text(),
  '/die': async () => process.exit(3),
  '/kill-peer': async () => (await fetch(`${IDENTITY_URL}/die`)).text(),
})
const stop = async () => {
  await server[Symbol.asyncDispose]()
  console.log(`${name} stopped`)
  process.exit(0)
}
process.once('SIGTERM', stop).once('disconnect', stop)
process.send?.({ type: 'ready', port: server.port })
