const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const quickMs = 400
const logMs = 30_000

/**
 * Shows progress of slow work: `await progress('Building', work)`. On a terminal it is a spinner; in a log file a line
 * when the work takes long, one every 30 s, and one at the end. Fast work prints nothing.
 */
export function createProgress(stream = process.stderr) {
  return async (title, work) => {
    const start = performance.now()
    const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`
    const tty = stream.isTTY === true
    const line = tty ? drawOn(stream) : undefined
    const clear = () => line?.('')
    let shown = false
    const show = () => {
      shown = true
      if (line) process.once('exit', clear)
      else stream.write(`${title} …\n`)
      let frame = 0
      return line
        ? setInterval(() => line(`${spinner[frame++ % 10]} ${title} ${seconds()}`), 80)
        : setInterval(() => stream.write(`${title} … ${seconds()}\n`), logMs)
    }
    let ticker
    const timer = setTimeout(() => {
      ticker = show()
    }, quickMs)
    const end = (mark) => {
      clearTimeout(timer)
      clearInterval(ticker)
      if (!shown) return
      clear()
      process.off('exit', clear)
      stream.write(`${mark} ${title} (${seconds()})\n`)
    }
    try {
      const result = await work()
      end('✓')
      return result
    } catch (error) {
      end('✗')
      throw error
    }
  }
}

const drawOn = (stream) => (text) => {
  stream.clearLine(0)
  stream.cursorTo(0)
  stream.write(text)
}
