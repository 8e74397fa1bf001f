import { Agent, get } from 'node:http'

/** Sends the requests that its parent asks for with limited concurrency, and reports when all have completed. */
type Order = { url: string; token: string; count: number; path: string }

const concurrency = 4
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

process.on('message', (order: Order) => {
  let left = order.count
  const some = async () => {
    while (left-- > 0) await sendOne(order)
  }
  Promise.all(Array.from({ length: concurrency }, some)).then(
    () => process.send?.('done'),
    (error) => process.send?.(String(error)),
  )
})
process.on('disconnect', () => process.exit())

function sendOne({ url, token, path }: Order): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const sent = get(`${url}/api/v1.4.1/${path}`, { headers, agent }, (res) => {
      const { statusCode } = res
      res.resume().once('end', () => {
        if (statusCode === 200) resolve()
        else reject(new Error(`${path}: ${statusCode}`))
      })
    })
    sent.once('error', reject)
  })
}
