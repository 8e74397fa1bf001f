import { table } from '../report.js'
import type { Cost, NotebooksReport } from './notebooks.js'

/** Prints the costs of the proxy before notebooks. */
export function printNotebooks({ request, frame, sockets, bytesOfSocket }: NotebooksReport): void {
  const rowOf = (name: string, { directMs, proxiedMs, cpuMs, directCpuMs }: Cost) => [
    name,
    directMs.toFixed(3),
    proxiedMs.toFixed(3),
    cpuMs.toFixed(3),
    (cpuMs / directCpuMs).toFixed(1),
  ]
  const head = ['one at a time', 'direct ms', 'proxied ms', 'CPU ms of the proxy', 'CPU ratio']
  const rows = [rowOf('request', request), rowOf('frame of 200 bytes, and its echo', frame)]
  console.log(`\n${table([head, ...rows])}`)
  console.log(
    `${sockets} idle WebSockets: ${(bytesOfSocket / 1000).toFixed(0)} kB each, ${((bytesOfSocket * sockets) / 1e6).toFixed(1)} MB together`,
  )
}
