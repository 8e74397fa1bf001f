import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Handler } from './https-server.js'

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
const flush = '0000'

/** Speaks version 0 of the protocol, and answers with any pack as the branch `main`. */
export const fakeGit =
  (commitId: string, pack: Buffer | (() => Iterable<Buffer>)): Handler =>
  async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
      response.write(`${packet('# service=git-upload-pack\n')}${flush}`)
      response.end(`${packet(`${commitId} refs/heads/main\0shallow ofs-delta\n`)}${flush}`)
      return
    }
    const body = await buffer(request)
    const isGzip = request.headers['content-encoding'] === 'gzip'
    const wants = `${isGzip ? gunzipSync(body) : body}`
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
    response.write(flush)
    if (!wants.includes('done')) {
      response.end()
      return
    }
    response.write(packet('NAK\n'))
    if (Buffer.isBuffer(pack)) response.end(pack)
    else
      Readable.from(pack())
        .on('error', () => {})
        .pipe(response)
  }
