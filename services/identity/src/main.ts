import { serve } from '@figbase/kit/service'
import { identity } from './index.js'

await serve(identity)
