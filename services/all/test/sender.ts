import { Agent, get } from 'node:http'

/** Sends what its parent orders, a few at a time, and says when all is answered. */
type Order = { url: string; token: string; count: number; path: string }

const atATime = 4
const agent = new Agent({ keepAlive: true, maxSockets: atATime })

process.on('message', (order: Order) => {
  let left = order.count
  const some = async () => {
    while (left-- > 0) await sendOne(order)
  }
  Promise.all(Array.from({ length: atATime }, some)).then(
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
