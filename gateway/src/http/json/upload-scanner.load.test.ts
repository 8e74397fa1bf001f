import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { scanUpload, type UploadLimits } from './upload-scanner.js'

const limits: UploadLimits = {
  memberBytesMax: 1 << 20,
  objectsMax: 100_000,
  depthMax: 64,
  membersMax: 1_000_000,
}

type Load = { name: string; decodedBytes: number; body: () => AsyncGenerator<Uint8Array> }

// Random data: like in the base64 of compressed data, one in 64 characters is a slash.
const textDecodedBytes = 24 * 1024
const text = randomBytes(textDecodedBytes).toString('base64')

const loads: Load[] = [
  oneString('one string', text),
  oneString('one string, every slash escaped', text.replaceAll('/', '\\/')),
  smallObjects(),
]

for (const { name, decodedBytes, body } of loads) {
  test(`scans 64 MB and more in bounded memory: ${name}`, async (t) => {
    const sizes = { bytes: 0, chunks: 0, sent: 0, peak: 0 }
    const before = process.memoryUsage.rss()
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of body()) {
        sizes.sent += chunk.length
        yield chunk
      }
    }
    const start = process.cpuUsage()
    for await (const event of scanUpload(counted(), limits)) {
      if (event.kind !== 'chunk') continue
      sizes.bytes += event.bytes.length
      // Only every 64th time: reading the memory usage costs more than decoding a small object.
      if (++sizes.chunks % 64 === 0) {
        sizes.peak = Math.max(sizes.peak, process.memoryUsage.rss() - before)
      }
    }
    const cpu = process.cpuUsage(start)
    const speed = sizes.sent / 1e6 / ((cpu.user + cpu.system) / 1e6)
    t.diagnostic(`${Math.round(speed)} MB/s of body, ${Math.round(sizes.peak / 1e6)} MB more RSS`)
    assert.equal(sizes.bytes, decodedBytes)
    assert.ok(sizes.peak < 60e6, `${sizes.peak} bytes`)
  })
}

// All pieces share one buffer, so that only the scanner is measured and not the creation of the body.
function oneString(name: string, text: string): Load {
  const piece = Buffer.from(text)
  const pieces = 4096
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"figure":"f","data":[{"name":"a","data":"')
    for (let i = 0; i < pieces; i++) yield piece
    yield Buffer.from('","type":"file"}]}')
  }
  return { name, decodedBytes: pieces * textDecodedBytes, body }
}

function smallObjects(): Load {
  const text = 'A'.repeat(4000)
  const object = `{"name":"a","type":"image","metadata":{"format":"png","local_id":"x"},"data":"${text}","is_clean_room":false}`
  const group = Buffer.from(Array.from({ length: 16 }, () => object).join(','))
  const groups = 1100
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"data":[')
    for (let i = 0; i < groups; i++) {
      if (i > 0) yield Buffer.from(',')
      yield group
    }
    yield Buffer.from(']}')
  }
  return { name: '17,600 small objects', decodedBytes: groups * 16 * 3000, body }
}
