# The REST service with the model that ships with the project, on the CPU:
#
#     docker build -t translator .
#     docker run --rm -p 5000:5000 -v translator:/var/lib/translator translator
#
# For GPUs: docker build --build-arg TORCH=cuda …, then docker run --gpus all -e TRANSLATOR_DEVICE=cuda …
# For more languages: -e TRANSLATOR_LANGUAGES="de fr es"
# For another model: -v /path/to/model:/model:ro -e TRANSLATOR_MODEL=/model
FROM python:3.11-slim-bookworm

# cpu: the small CPU build; cuda: what PyPI has, with gigabytes of CUDA libraries.
ARG TORCH=cpu

WORKDIR /app

COPY requirements.txt requirements-pdf.txt ./
# Only torch is looked for at PyTorch's own index.
RUN if [ "$TORCH" = cpu ]; then \
        pip install --no-cache-dir --no-deps \
            --extra-index-url https://download.pytorch.org/whl/cpu "$(grep '^torch==' requirements.txt)"; \
    fi \
    && pip install --no-cache-dir -r requirements.txt -r requirements-pdf.txt

COPY translator/ translator/
COPY service/ service/

RUN useradd --system --uid 10001 --no-create-home translator \
    && install --directory --owner=10001 /var/cache/translator /var/lib/translator /var/lib/translator/models
USER 10001

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CACHE_DIR=/var/cache/translator \
    TRANSLATOR_HOME=/var/lib/translator \
    TRANSLATOR_DATABASE=/var/lib/translator/service.sqlite3 \
    TRANSLATOR_HOST=0.0.0.0 \
    TRANSLATOR_PORT=5000
EXPOSE 5000
# Keys, suggestions, glossaries, counts and downloaded models.
VOLUME /var/lib/translator

# Compile int8 for this kind of CPU. Where there is another, the service does so while it serves.
RUN python -c "from translator import Translator; Translator.load().close()"

HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['TRANSLATOR_PORT'] + '/ready', timeout=4)"]

CMD ["python", "-m", "service"]
