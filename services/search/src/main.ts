import { serve } from '@figbase/kit/service'
import { search } from './index.js'

await serve(search)
