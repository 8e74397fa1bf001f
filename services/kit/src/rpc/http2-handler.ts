import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { type ConnectRouter, createConnectRouter, createContextValues } from '@connectrpc/connect'
import type { UniversalHandler } from '@connectrpc/connect/protocol'
import {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node'
import type { Logger } from '../log.js'
import { peerAddressKey } from './caller.js'
import { messageBytesMax } from './local-transport.js'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

/** Serves routes. Connect's own adapter prints to the console what this logs. */
export function createHttp2Handler(
  routes: (router: ConnectRouter) => void,
  log: Logger | undefined,
): Handler {
  const router = createConnectRouter({
    acceptCompression: [],
    readMaxBytes: messageBytesMax,
    writeMaxBytes: messageBytesMax,
  })
  routes(router)
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]))
  return (req, res) => {
    const handler = handlers.get(req.url.split('?', 1)[0] ?? '')
    if (!handler) {
      res.writeHead(404).end()
      return
    }
    const { stream } = req
    answer(handler, req, res).catch((err: unknown) => {
      const rpc = `${handler.service.typeName}/${handler.method.name}`
      const hasCallerLeft = stream.destroyed || stream.closed
      log?.[hasCallerLeft ? 'debug' : 'error']({ rpc, err }, 'the response was not sent')
    })
  }
}

async function answer(
  handler: UniversalHandler,
  req: Http2ServerRequest,
  res: Http2ServerResponse,
): Promise<void> {
  const { socket } = req
  const contextValues = createContextValues().set(peerAddressKey, () => socket.remoteAddress)
  const request = universalRequestFromNodeRequest(req, res, undefined, contextValues)
  await universalResponseToNodeResponse(await handler(request), res)
}
