import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

const name = 'grpc-message'

/**
 * Connect encodes `:`, `,` and `/` in the messages of errors, which gRPC does not ask for, and which
 * grpc-js leaves encoded. What remains is what gRPC asks for: all but printable ASCII, and `%`.
 */
export function withPlainMessages(handler: Handler): Handler {
  return (req, res) => {
    const { addTrailers } = res
    res.addTrailers = (trailers) => {
      const message = trailers[name]
      const plain = typeof message === 'string' && { [name]: sparselyEncoded(message) }
      addTrailers.call(res, { ...trailers, ...plain })
    }
    handler(req, res)
  }
}

const sparselyEncoded = (message: string) =>
  decodeURIComponent(message).replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent)
