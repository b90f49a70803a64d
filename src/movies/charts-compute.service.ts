import { Injectable } from '@nestjs/common';
import { OperationError } from '../api/errors/error-codes';
import { isDay } from '../api/input/time';
import { CitiesService } from '../cities/cities.service';
import { Settings } from '../config/settings';
import { dayWriter } from '../web/days';
import { COMPUTED, type ComputedChart } from './chart-names';
import { type TransactionHooks } from '../database/database';
import { ChartsComputeRepository, type ComputedCounts } from './charts-compute.repository';

/** A requested computation. */
export interface ChartRequest {
  readonly name: string;
  /** `yyyy-MM-dd`; today when absent. */
  readonly date?: string;
  /** A city's id, uid or name. */
  readonly city?: string;
}

/** The result of a computation. */
export interface ComputedSummary extends ComputedCounts {
  readonly name: ComputedChart;
  readonly date: string;
}

/**
 * Computes charts, such as top250, from stored data (D36) by the rules in docs/charts.md. It runs on
 * request (command, administration API, console); no scheduled task computes charts.
 */
@Injectable()
export class ChartsComputeService {
  constructor(
    private readonly charts: ChartsComputeRepository,
    private readonly cities: CitiesService,
    private readonly settings: Settings,
  ) {}

  /** Computes a chart's snapshot of a day. @throws OperationError for an invalid request */
  async compute(request: ChartRequest, hooks?: TransactionHooks): Promise<ComputedSummary> {
    const name = chartOf(request.name);
    const timeZone = this.settings.TIME_ZONE;
    const date = request.date ?? dayWriter(timeZone)(new Date());
    if (!isDay(date)) throw new OperationError(`invalid date: ${date}; the format is yyyy-MM-dd`);
    const cityId = await this.cityOf(name, request.city);
    const counts = await this.charts.replace({ name, date, cityId, timeZone }, hooks);
    return { name, date, ...counts };
  }

  private async cityOf(name: ComputedChart, city?: string): Promise<number | undefined> {
    if (city === undefined) return undefined;
    if (name !== 'in_theaters')
      throw new OperationError('only the chart in_theaters accepts a city');
    const found = await this.cities.find(city);
    if (!found) throw new OperationError(`city not found: ${city}`, 'targetNotFound');
    return found.id;
  }
}

function chartOf(name: string): ComputedChart {
  const found = COMPUTED.find((one) => one === name);
  if (found) return found;
  if (name === 'us_box') {
    throw new OperationError(
      'us_box cannot be computed, because the service has no box office data; ' +
        'import it with: import chart --name us_box FILE',
    );
  }
  throw new OperationError(`chart not found: ${name}; available charts: ${COMPUTED.join(', ')}`);
}
