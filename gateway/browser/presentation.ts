// Keys of a presentation: arrows, Home and End change the slide, `f` the full screen.

const slides = [...document.querySelectorAll('.deck .slide')]
const distance = (slide: Element) => Math.abs(slide.getBoundingClientRect().top)
const current = () =>
  slides.reduce(
    (best, slide, i) => (distance(slide) < distance(slides[best] ?? slide) ? i : best),
    0,
  )
const show = (i: number) => slides[Math.max(0, Math.min(slides.length - 1, i))]?.scrollIntoView()
const steps: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  ' ': 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
}

function toggleFullscreen() {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void document.documentElement.requestFullscreen()
}

/** What a key does, if anything. */
function actionOf({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
  const step = key === ' ' && shiftKey ? -1 : steps[key]
  if (step !== undefined) return () => show(current() + step)
  if (key === 'Home') return () => show(0)
  if (key === 'End') return () => show(slides.length - 1)
  return key === 'f' ? toggleFullscreen : undefined
}

if (slides.length > 0) {
  document.addEventListener('keydown', (event) => {
    const action = event.altKey || event.ctrlKey || event.metaKey ? undefined : actionOf(event)
    if (!action) return
    event.preventDefault()
    action()
  })
}
