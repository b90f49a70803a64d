import { All, Controller, Get, Param, type Type } from '@nestjs/common';
import { Public, RespondsJson, RequireScope } from '../../../src/api/routing/route';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { probing } from './probe.module';
import { serveOn } from './serve-on';

@Controller('v2/probe')
class NoAccessController {
  @Get('access')
  @RespondsJson({})
  forgotten() {
    return {};
  }
}

@Controller('v2/probe')
class NoResponseController {
  @Get('response')
  @RequireScope('book_basic_r')
  undeclared() {
    return {};
  }
}

@Controller('v2/probe')
class NothingController {
  @Get('nothing')
  bare() {
    return {};
  }
}

@Controller('v2/probe')
class WildcardController {
  @Get('wild/:card')
  @Public()
  @RespondsJson({})
  anything(@Param('card') card: string) {
    return { card };
  }
}

@Controller('v2/probe')
class MethodController {
  @All('all')
  @Public()
  @RespondsJson({})
  everything() {
    return {};
  }
}

@Controller('v2/probe')
class CompleteController {
  @Get('complete')
  @Public()
  @RespondsJson({})
  fine() {
    return {};
  }
}

describe('the start of the service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const start = (...controllers: Type[]) =>
    serveOn(database.source, { root: probing(...controllers) });

  it.each([
    ['does not declare its access', NoAccessController, /NoAccessController\.forgotten.*access/],
    [
      'does not declare its response',
      NoResponseController,
      /NoResponseController\.undeclared.*resp/,
    ],
    ['declares nothing', NothingController, /NothingController\.bare/],
    ['has a wildcard that may hold anything', WildcardController, /WildcardController\.anything/],
    ['has no method of the contract', MethodController, /MethodController\.everything/],
  ])('fails when a handler %s, and names the handler', async (_, controller, message) => {
    await expect(start(CompleteController, controller)).rejects.toThrow(message);
  });

  it('succeeds when all declarations are complete', async () => {
    const served = await start(CompleteController);
    expect((await served.call('/v2/probe/complete')).status).toBe(200);
    await served.close();
  });
});
