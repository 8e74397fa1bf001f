import { table } from '../report.js'
import type { StoryExportsReport } from './story-exports.js'

/** Prints the costs of exports, beside those of reading the same pictures. */
export function printStoryExports(report: StoryExportsReport): void {
  const { slides, pictureBytes, atRestBytes, downloads, exports } = report
  console.log(
    `${slides} slides with ${slides} figures, ${megabytes(pictureBytes)} of PNG; the idle product has ${megabytes(atRestBytes)}`,
  )
  const rowOf = ({ seconds, cpuSeconds, growthBytes }: typeof downloads) => [
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    megabytes(growthBytes),
  ]
  const rows = exports.map((one) => [
    one.format,
    ...rowOf(one),
    megabytes(one.sizeBytes),
    one.ratio.toFixed(1),
    one.cpuRatio.toFixed(1),
  ])
  const head = ['export', 's', 'CPU s', 'memory growth', 'file', 'time ratio', 'CPU ratio']
  const floor = ['downloads of the PNG', ...rowOf(downloads), megabytes(pictureBytes), '', '']
  console.log(`\n${table([head, floor, ...rows])}`)
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
