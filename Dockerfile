FROM python:3.12.11-slim-bookworm AS docs

WORKDIR /app
COPY pyproject.toml LICENSE requirements.lock requirements-docs.lock mkdocs.yml ./
COPY scripts scripts
COPY ledger ledger
COPY projections projections
COPY api api
COPY docs docs
RUN scripts/docs

FROM python:3.12.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --system --uid 10001 --create-home ledger
WORKDIR /app

# The dependencies change seldom and have a layer of their own.
COPY requirements.lock ./
RUN pip install --require-hashes --requirement requirements.lock

COPY pyproject.toml LICENSE ./
COPY ledger ledger
COPY projections projections
COPY api api
RUN pip install --no-index --no-deps --no-build-isolation .

COPY --from=docs /app/.site site
ENV LEDGER_DOCS=/app/site

USER ledger
EXPOSE 8000
ENTRYPOINT ["campaign-ledger"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
