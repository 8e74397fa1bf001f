import { serve } from '@figbase/kit/service'
import { storiesAi } from './index.js'

await serve(storiesAi)
